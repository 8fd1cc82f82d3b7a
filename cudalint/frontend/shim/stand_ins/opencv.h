// OpenCV's core as CUDA code uses it: pointers with a step, device matrices, streams, element types, vectors by type.
#pragma once
#pragma clang system_header
#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>
#include <stdexcept>
#include <sstream>
#include <string>
#include <vector>
#include <cuda_runtime.h>
typedef unsigned char uchar;
typedef signed char schar;
typedef unsigned short ushort;
typedef unsigned int uint;
#define CV_8U 0
#define CV_8S 1
#define CV_16U 2
#define CV_16S 3
#define CV_32S 4
#define CV_32F 5
#define CV_64F 6
#define CV_CN_SHIFT 3
#define CV_MAKE_TYPE(depth, cn) ((depth) + (((cn) - 1) << CV_CN_SHIFT))
#define CV_MAKETYPE CV_MAKE_TYPE
#define CV_MAT_TYPE_MASK 0xfff
#define CV_MAT_CN(flags) ((((flags) >> CV_CN_SHIFT) & 511) + 1)
#define CV_MAT_DEPTH(flags) ((flags) & 7)
#define CV_8UC1 CV_MAKE_TYPE(CV_8U, 1)
#define CV_8UC3 CV_MAKE_TYPE(CV_8U, 3)
#define CV_8UC4 CV_MAKE_TYPE(CV_8U, 4)
#define CV_32FC1 CV_MAKE_TYPE(CV_32F, 1)
#define CV_32FC2 CV_MAKE_TYPE(CV_32F, 2)
#define CV_32SC1 CV_MAKE_TYPE(CV_32S, 1)
#define CV_EXPORTS
#define CV_EXPORTS_W
#define CV_PI 3.1415926535897932384626433832795
#define CV_PI_F ((float)CV_PI)
#define CV_32FC3 CV_MAKE_TYPE(CV_32F, 3)
#define CV_32FC4 CV_MAKE_TYPE(CV_32F, 4)
#define CV_64FC1 CV_MAKE_TYPE(CV_64F, 1)
#define CV_8SC1 CV_MAKE_TYPE(CV_8S, 1)
#define CV_16UC1 CV_MAKE_TYPE(CV_16U, 1)
#define CV_16SC2 CV_MAKE_TYPE(CV_16S, 2)
#define CV_WRAP
#define CV_OUT
#define CV_IN_OUT
#define CV_PROP
#define CV_PROP_RW
#define CV_LOG_FATAL(...) ((void)0)
#define CV_LOG_ERROR(...) ((void)0)
#define CV_LOG_WARNING(...) ((void)0)
#define CV_LOG_INFO(...) ((void)0)
#define CV_LOG_DEBUG(...) ((void)0)
#define CV_LOG_VERBOSE(...) ((void)0)
#define CV_StaticAssert(condition, ...) static_assert(condition, "")
// Modules of the library that CUDA code asks for.
#define HAVE_OPENCV_CUDEV
#define HAVE_OPENCV_CUDAARITHM
#define HAVE_OPENCV_CUDABGSEGM
#define HAVE_OPENCV_CUDAFEATURES2D
#define HAVE_OPENCV_CUDAFILTERS
#define HAVE_OPENCV_CUDAIMGPROC
#define HAVE_OPENCV_CUDALEGACY
#define HAVE_OPENCV_CUDAOBJDETECT
#define HAVE_OPENCV_CUDAOPTFLOW
#define HAVE_OPENCV_CUDASTEREO
#define HAVE_OPENCV_CUDAWARPING
#define CV_Assert(...) ((void)(__VA_ARGS__))
#define CV_DbgAssert(...) ((void)0)
#define CV_Error(code, text) throw std::runtime_error(text)
#define CV_Func ""
#define CV_UNUSED(x) ((void)(x))
#define CV_NORETURN
#define CV_OVERRIDE override
#define cudaSafeCall(...) ((void)(__VA_ARGS__))
#define __CV_GPU_HOST_DEVICE__ __host__ __device__ __forceinline__
#define __CV_CUDA_HOST_DEVICE__ __host__ __device__ __forceinline__
namespace cv {
using ::uchar;
using ::schar;
using ::ushort;
using ::uint;
typedef long long int64;
typedef unsigned long long uint64;
using String = std::string;
using std::max;
using std::min;
using std::swap;
struct Exception { Exception(); const char *what() const; };
namespace Error { enum Code { StsOk = 0, StsError = -2, GpuApiCallError = -217 }; }
void error(int, const String &, const char *, const char *, int);
template <class __T> struct Point_ { __T x, y; Point_(); Point_(__T, __T); };
template <class __T> struct Size_ { __T width, height; Size_(); Size_(__T, __T); __T area() const; };
template <class __T> struct Rect_ { __T x, y, width, height; Rect_(); Rect_(__T, __T, __T, __T); };
typedef Point_<int> Point;
typedef Size_<int> Size;
typedef Rect_<int> Rect;
struct Range { int start, end; Range(); Range(int, int); static Range all(); };
template <class __T> struct Scalar_ { __T val[4]; Scalar_(); Scalar_(__T, __T = 0, __T = 0, __T = 0); __T &operator[](int); const __T &operator[](int) const; static Scalar_ all(__T); template <class __U> Scalar_(const Scalar_<__U> &); };
typedef Scalar_<double> Scalar;
enum NormTypes { NORM_INF = 1, NORM_L1 = 2, NORM_L2 = 4, NORM_MINMAX = 32 };
struct Algorithm { virtual ~Algorithm(); };
typedef Size_<float> Size2f;
typedef Point_<float> Point2f;
template <class __T, int __N> struct Vec { __T val[__N]; __host__ __device__ Vec(); template <class... __A> __host__ __device__ Vec(__T, __A...); __host__ __device__ __T &operator[](int); __host__ __device__ const __T &operator[](int) const; __host__ __device__ __T &operator()(int); __host__ __device__ const __T &operator()(int) const; };
typedef Vec<unsigned char, 3> Vec3b;
typedef Vec<int, 2> Vec2i;
typedef Vec<int, 3> Vec3i;
typedef Vec<int, 4> Vec4i;
typedef Vec<float, 2> Vec2f;
typedef Vec<float, 3> Vec3f;
typedef Vec<float, 4> Vec4f;
typedef Vec<double, 3> Vec3d;
template <class __T> using Ptr = std::shared_ptr<__T>;
template <class... __A> String format(const char *, __A...);
enum BorderTypes { BORDER_CONSTANT, BORDER_REPLICATE, BORDER_REFLECT, BORDER_WRAP, BORDER_REFLECT_101, BORDER_DEFAULT = 4 };
struct Mat { Mat(); Mat(int, int, int); Mat(Size, int); Mat(int, int, int, void *, size_t = 0); Mat(Size, int, void *, size_t = 0); enum { AUTO_STEP = 0 }; int rows, cols; uchar *data; size_t step; template <class __T> __T *ptr(int = 0); template <class __T> __T &at(int); template <class __T> __T &at(int, int); int type() const; int depth() const; int channels() const; Size size() const; bool empty() const; };

namespace cudev { template <class __T> class GpuMat_; }
struct _InputArray { enum KindFlag { FIXED_TYPE = 1 << 30, FIXED_SIZE = 1 << 29, NONE = 0, MAT = 1 << 16, CUDA_GPU_MAT = 9 << 16 };
  int flags; void *obj; template <class __T> __host__ _InputArray(const cudev::GpuMat_<__T> &); template <class __T> _InputArray(const __T &); int type() const; int depth() const; int channels() const; Size size() const; bool empty() const; Mat getMat(int = -1) const; };
struct _OutputArray : _InputArray { template <class __T> __host__ _OutputArray(cudev::GpuMat_<__T> &); template <class __T> __host__ _OutputArray(const cudev::GpuMat_<__T> &); template <class __T> _OutputArray(__T &a) : _InputArray(a) {} void create(int, int, int) const; void create(Size, int) const; };
using InputArray = const _InputArray &;
using OutputArray = const _OutputArray &;
using InputOutputArray = OutputArray;
OutputArray noArray();
template <class __T> class DataType { public: typedef __T value_type; typedef __T channel_type; enum { depth = 0, channels = 1, type = 0, fmt = 0 }; };
template <class __T> class DataDepth { public: enum { value = 0 }; };
namespace traits { template <class __T> struct Type { enum { value = 0 }; }; template <class __T> struct Depth { enum { value = 0 }; }; }
namespace cuda {
template <class __T> struct DevPtr {
  typedef __T elem_type;
  typedef int index_type;
  enum { elem_size = sizeof(elem_type) };
  __T *data;
  __CV_CUDA_HOST_DEVICE__ DevPtr() : data(0) {}
  __CV_CUDA_HOST_DEVICE__ DevPtr(__T *p) : data(p) {}
  __CV_CUDA_HOST_DEVICE__ size_t elemSize() const { return elem_size; }
  __CV_CUDA_HOST_DEVICE__ operator __T *() { return data; }
  __CV_CUDA_HOST_DEVICE__ operator const __T *() const { return data; }
};
template <class __T> struct PtrSz : public DevPtr<__T> {
  __CV_CUDA_HOST_DEVICE__ PtrSz() : size(0) {}
  __CV_CUDA_HOST_DEVICE__ PtrSz(__T *p, size_t n) : DevPtr<__T>(p), size(n) {}
  size_t size;
};
template <class __T> struct PtrStep : public DevPtr<__T> {
  __CV_CUDA_HOST_DEVICE__ PtrStep() : step(0) {}
  __CV_CUDA_HOST_DEVICE__ PtrStep(__T *p, size_t s) : DevPtr<__T>(p), step(s) {}
  size_t step;
  __CV_CUDA_HOST_DEVICE__ __T *ptr(int y = 0) { return (__T *)((char *)(((DevPtr<__T> *)this)->data) + y * step); }
  __CV_CUDA_HOST_DEVICE__ const __T *ptr(int y = 0) const { return (const __T *)((const char *)(((DevPtr<__T> *)this)->data) + y * step); }
  __CV_CUDA_HOST_DEVICE__ __T &operator()(int y, int x) { return ptr(y)[x]; }
  __CV_CUDA_HOST_DEVICE__ const __T &operator()(int y, int x) const { return ptr(y)[x]; }
};
template <class __T> struct PtrStepSz : public PtrStep<__T> {
  __CV_CUDA_HOST_DEVICE__ PtrStepSz() : cols(0), rows(0) {}
  __CV_CUDA_HOST_DEVICE__ PtrStepSz(int r, int c, __T *p, size_t s) : PtrStep<__T>(p, s), cols(c), rows(r) {}
  template <class __U> explicit PtrStepSz(const PtrStepSz<__U> &o) : PtrStep<__T>((__T *)o.data, o.step), cols(o.cols), rows(o.rows) {}
  int cols;
  int rows;
  __CV_CUDA_HOST_DEVICE__ Size size() const;
};
typedef PtrStepSz<unsigned char> PtrStepSzb;
typedef PtrStepSz<unsigned short> PtrStepSzus;
typedef PtrStepSz<float> PtrStepSzf;
typedef PtrStepSz<int> PtrStepSzi;
typedef PtrStep<unsigned char> PtrStepb;
typedef PtrStep<unsigned short> PtrStepus;
typedef PtrStep<float> PtrStepf;
typedef PtrStep<int> PtrStepi;
class Stream { public: Stream(); static Stream &Null(); void waitForCompletion(); bool queryIfComplete() const; };
struct StreamAccessor { static cudaStream_t getStream(const Stream &); static Stream wrapStream(cudaStream_t); };
class GpuMat {
public:
  class Allocator { public: virtual bool allocate(GpuMat *, int, int, size_t) = 0; virtual void free(GpuMat *) = 0; };
  static Allocator *defaultAllocator();
  static void setDefaultAllocator(Allocator *);
  GpuMat(Allocator * = defaultAllocator());
  GpuMat(int, int, int, Allocator * = defaultAllocator());
  GpuMat(Size, int, Allocator * = defaultAllocator());
  GpuMat(const GpuMat &, Range, Range);
  GpuMat(const GpuMat &, Rect);
  void upload(InputArray);
  void download(OutputArray) const;
  void copyTo(OutputArray) const;
  void swap(GpuMat &);
  GpuMat(int, int, int, void *, size_t = 0);
  void create(int, int, int);
  void create(Size, int);
  void release();
  template <class __T> __T *ptr(int = 0);
  template <class __T> const __T *ptr(int = 0) const;
  uchar *ptr(int = 0);
  const uchar *ptr(int = 0) const;
  template <class __T> operator PtrStepSz<__T>() const;
  template <class __T> operator PtrStep<__T>() const;
  GpuMat row(int) const;
  GpuMat reshape(int, int = 0) const;
  GpuMat clone() const;
  GpuMat &adjustROI(int, int, int, int);
  GpuMat &setTo(Scalar);
  GpuMat &setTo(Scalar, Stream &);
  void copyTo(OutputArray, Stream &) const;
  void upload(InputArray, Stream &);
  void download(OutputArray, Stream &) const;
  void convertTo(OutputArray, int) const;
  void convertTo(OutputArray, int, double, double = 0) const;
  void convertTo(OutputArray, int, Stream &) const;
  void convertTo(OutputArray, int, double, double, Stream &) const;
  GpuMat col(int) const;
  GpuMat operator()(Rect) const;
  int type() const;
  int depth() const;
  int channels() const;
  size_t elemSize() const;
  size_t elemSize1() const;
  bool isContinuous() const;
  bool empty() const;
  Size size() const;
  int flags, rows, cols;
  size_t step;
  uchar *data, *datastart;
  int *refcount;
};
class BufferPool { public: explicit BufferPool(Stream &); GpuMat getBuffer(int, int, int); GpuMat getBuffer(Size, int); Ptr<GpuMat::Allocator> getAllocator() const; };
class HostMem { public: explicit HostMem(int = 1); HostMem(int, int, int, int = 1); Mat createMatHeader() const; void release(); };
class DeviceInfo { public: DeviceInfo(); DeviceInfo(int); int multiProcessorCount() const; int majorVersion() const; size_t sharedMemPerBlock() const; };
enum { CUDALINT_UNUSED_FEATURE };
enum FeatureSet { SHARED_ATOMICS = 12,  FEATURE_SET_COMPUTE_10 = 10, FEATURE_SET_COMPUTE_20 = 20, FEATURE_SET_COMPUTE_30 = 30 };
bool deviceSupports(FeatureSet);
void createContinuous(int, int, int, OutputArray);
void ensureSizeIsEnough(int, int, int, OutputArray);
void ensureSizeIsEnough(Size, int, OutputArray);
GpuMat getInputMat(InputArray, Stream &);
GpuMat getOutputMat(OutputArray, int, int, int, Stream &);
GpuMat getOutputMat(OutputArray, Size, int, Stream &);
void syncOutput(const GpuMat &, OutputArray, Stream &);
void checkCudaError(cudaError_t, const char *, const int, const char *);
namespace device {
__host__ __device__ __forceinline__ int divUp(int total, int grain) { return (total + grain - 1) / grain; }
template <class __T> struct numeric_limits : ::std::numeric_limits<__T> {
  __host__ __device__ __forceinline__ static __T (min)() { return ::std::numeric_limits<__T>::min(); }
  __host__ __device__ __forceinline__ static __T (max)() { return ::std::numeric_limits<__T>::max(); }
  __host__ __device__ __forceinline__ static __T epsilon() { return ::std::numeric_limits<__T>::epsilon(); }
};
template <class __T, int __N> struct TypeVec;
template <class __T> struct VecTraits;
#define CUDALINT_CV_VECTOR(__T, __V) \
  template <> struct TypeVec<__T, 1> { typedef __T vec_type; }; \
  template <> struct TypeVec<__T, 2> { typedef __V##2 vec_type; }; \
  template <> struct TypeVec<__T, 3> { typedef __V##3 vec_type; }; \
  template <> struct TypeVec<__T, 4> { typedef __V##4 vec_type; }; \
  template <> struct VecTraits<__T> { typedef __T elem_type; enum { cn = 1 }; static __host__ __device__ __forceinline__ __T all(__T v) { return v; } static __host__ __device__ __forceinline__ __T make(__T x) { return x; } static __host__ __device__ __forceinline__ __T make(const __T *v) { return *v; } }; \
  template <> struct VecTraits<__V##2> { typedef __T elem_type; enum { cn = 2 }; static __host__ __device__ __forceinline__ __V##2 all(__T v) { return make_##__V##2(v, v); } static __host__ __device__ __forceinline__ __V##2 make(__T x, __T y) { return make_##__V##2(x, y); } static __host__ __device__ __forceinline__ __V##2 make(const __T *v) { return make_##__V##2(v[0], v[1]); } }; \
  template <> struct VecTraits<__V##3> { typedef __T elem_type; enum { cn = 3 }; static __host__ __device__ __forceinline__ __V##3 all(__T v) { return make_##__V##3(v, v, v); } static __host__ __device__ __forceinline__ __V##3 make(__T x, __T y, __T z) { return make_##__V##3(x, y, z); } static __host__ __device__ __forceinline__ __V##3 make(const __T *v) { return make_##__V##3(v[0], v[1], v[2]); } }; \
  template <> struct VecTraits<__V##4> { typedef __T elem_type; enum { cn = 4 }; static __host__ __device__ __forceinline__ __V##4 all(__T v) { return make_##__V##4(v, v, v, v); } static __host__ __device__ __forceinline__ __V##4 make(__T x, __T y, __T z, __T w) { return make_##__V##4(x, y, z, w); } static __host__ __device__ __forceinline__ __V##4 make(const __T *v) { return make_##__V##4(v[0], v[1], v[2], v[3]); } };
CUDALINT_CV_VECTOR(unsigned char, uchar)
CUDALINT_CV_VECTOR(signed char, char)
CUDALINT_CV_VECTOR(unsigned short, ushort)
CUDALINT_CV_VECTOR(short, short)
CUDALINT_CV_VECTOR(int, int)
CUDALINT_CV_VECTOR(unsigned int, uint)
CUDALINT_CV_VECTOR(float, float)
CUDALINT_CV_VECTOR(double, double)
#undef CUDALINT_CV_VECTOR
template <class __D, class __S> __host__ __device__ __forceinline__ __D saturate_cast(__S v) {
  if constexpr (VecTraits<__D>::cn == 1) return static_cast<__D>(v);
  else if constexpr (VecTraits<__D>::cn == 2) return VecTraits<__D>::make(v.x, v.y);
  else if constexpr (VecTraits<__D>::cn == 3) return VecTraits<__D>::make(v.x, v.y, v.z);
  else return VecTraits<__D>::make(v.x, v.y, v.z, v.w);
}
#define CUDALINT_CV_OPERATOR(__OP) \
  template <class __A, int __N = VecTraits<__A>::cn, std::enable_if_t<__N == 2, int> = 0> __host__ __device__ __forceinline__ auto operator __OP(__A a, __A b) { return VecTraits<__A>::make(a.x __OP b.x, a.y __OP b.y); } \
  template <class __A, int __N = VecTraits<__A>::cn, std::enable_if_t<__N == 3, int> = 0> __host__ __device__ __forceinline__ auto operator __OP(__A a, __A b) { return VecTraits<__A>::make(a.x __OP b.x, a.y __OP b.y, a.z __OP b.z); } \
  template <class __A, int __N = VecTraits<__A>::cn, std::enable_if_t<__N == 4, int> = 0> __host__ __device__ __forceinline__ auto operator __OP(__A a, __A b) { return VecTraits<__A>::make(a.x __OP b.x, a.y __OP b.y, a.z __OP b.z, a.w __OP b.w); } \
  template <class __A, int __N = VecTraits<__A>::cn, std::enable_if_t<__N == 2, int> = 0> __host__ __device__ __forceinline__ auto operator __OP(__A a, typename VecTraits<__A>::elem_type b) { return VecTraits<__A>::make(a.x __OP b, a.y __OP b); } \
  template <class __A, int __N = VecTraits<__A>::cn, std::enable_if_t<__N == 3, int> = 0> __host__ __device__ __forceinline__ auto operator __OP(__A a, typename VecTraits<__A>::elem_type b) { return VecTraits<__A>::make(a.x __OP b, a.y __OP b, a.z __OP b); } \
  template <class __A, int __N = VecTraits<__A>::cn, std::enable_if_t<__N == 4, int> = 0> __host__ __device__ __forceinline__ auto operator __OP(__A a, typename VecTraits<__A>::elem_type b) { return VecTraits<__A>::make(a.x __OP b, a.y __OP b, a.z __OP b, a.w __OP b); } \
  template <class __A, int __N = VecTraits<__A>::cn, std::enable_if_t<__N == 2, long> = 0> __host__ __device__ __forceinline__ auto operator __OP(typename VecTraits<__A>::elem_type a, __A b) { return VecTraits<__A>::make(a __OP b.x, a __OP b.y); } \
  template <class __A, int __N = VecTraits<__A>::cn, std::enable_if_t<__N == 3, long> = 0> __host__ __device__ __forceinline__ auto operator __OP(typename VecTraits<__A>::elem_type a, __A b) { return VecTraits<__A>::make(a __OP b.x, a __OP b.y, a __OP b.z); } \
  template <class __A, int __N = VecTraits<__A>::cn, std::enable_if_t<__N == 4, long> = 0> __host__ __device__ __forceinline__ auto operator __OP(typename VecTraits<__A>::elem_type a, __A b) { return VecTraits<__A>::make(a __OP b.x, a __OP b.y, a __OP b.z, a __OP b.w); }
CUDALINT_CV_OPERATOR(+)
CUDALINT_CV_OPERATOR(-)
CUDALINT_CV_OPERATOR(*)
CUDALINT_CV_OPERATOR(/)
#undef CUDALINT_CV_OPERATOR
template <class __A, int __N = VecTraits<__A>::cn, std::enable_if_t<__N == 2, int> = 0> __host__ __device__ __forceinline__ auto operator-(__A a) { return VecTraits<__A>::make(-a.x, -a.y); }
template <class __A, int __N = VecTraits<__A>::cn, std::enable_if_t<__N == 3, int> = 0> __host__ __device__ __forceinline__ auto operator-(__A a) { return VecTraits<__A>::make(-a.x, -a.y, -a.z); }
template <class __A, int __N = VecTraits<__A>::cn, std::enable_if_t<__N == 4, int> = 0> __host__ __device__ __forceinline__ auto operator-(__A a) { return VecTraits<__A>::make(-a.x, -a.y, -a.z, -a.w); }
// What lies beyond an image's border; a constant one is read as the nearest pixel, whose load it leaves out.
#define CUDALINT_CV_BORDER(__B, __LOW, __HIGH) \
  template <class __D> struct BrdRow##__B { \
    typedef __D result_type; \
    explicit __host__ __device__ __forceinline__ BrdRow##__B(int width, const __D & = VecTraits<__D>::all(0)) : last(width - 1), length(width) {} \
    __device__ __forceinline__ int idx_col_low(int i) const { return __LOW; } \
    __device__ __forceinline__ int idx_col_high(int i) const { return __HIGH; } \
    __device__ __forceinline__ int idx_col(int i) const { return idx_col_low(idx_col_high(i)); } \
    template <class __T> __device__ __forceinline__ __D at_low(int x, const __T *p) const { return saturate_cast<__D>(p[idx_col_low(x)]); } \
    template <class __T> __device__ __forceinline__ __D at_high(int x, const __T *p) const { return saturate_cast<__D>(p[idx_col_high(x)]); } \
    template <class __T> __device__ __forceinline__ __D at(int x, const __T *p) const { return saturate_cast<__D>(p[idx_col(x)]); } \
    int last, length; \
  }; \
  template <class __D> struct BrdCol##__B { \
    typedef __D result_type; \
    explicit __host__ __device__ __forceinline__ BrdCol##__B(int height, const __D & = VecTraits<__D>::all(0)) : last(height - 1), length(height) {} \
    __device__ __forceinline__ int idx_row_low(int i) const { return __LOW; } \
    __device__ __forceinline__ int idx_row_high(int i) const { return __HIGH; } \
    __device__ __forceinline__ int idx_row(int i) const { return idx_row_low(idx_row_high(i)); } \
    template <class __T> __device__ __forceinline__ __D at_low(int y, const __T *p, size_t step) const { return saturate_cast<__D>(*(const __T *)((const char *)p + idx_row_low(y) * step)); } \
    template <class __T> __device__ __forceinline__ __D at_high(int y, const __T *p, size_t step) const { return saturate_cast<__D>(*(const __T *)((const char *)p + idx_row_high(y) * step)); } \
    template <class __T> __device__ __forceinline__ __D at(int y, const __T *p, size_t step) const { return saturate_cast<__D>(*(const __T *)((const char *)p + idx_row(y) * step)); } \
    int last, length; \
  }; \
  template <class __D> struct Brd##__B { \
    typedef __D result_type; \
    __host__ __device__ __forceinline__ Brd##__B(int height, int width, const __D &v = VecTraits<__D>::all(0)) : rows(height, v), columns(width, v) {} \
    template <class __T> __device__ __forceinline__ __D at(int y, int x, const __T *p, size_t step) const { return saturate_cast<__D>(((const __T *)((const char *)p + rows.idx_row(y) * step))[columns.idx_col(x)]); } \
    template <class __P> __device__ __forceinline__ __D at(int y, int x, const __P &p) const { return saturate_cast<__D>(p(rows.idx_row(y), columns.idx_col(x))); } \
    __device__ __forceinline__ int idx_row_low(int i) const { return rows.idx_row_low(i); } \
    __device__ __forceinline__ int idx_row_high(int i) const { return rows.idx_row_high(i); } \
    __device__ __forceinline__ int idx_row(int i) const { return rows.idx_row(i); } \
    __device__ __forceinline__ int idx_col_low(int i) const { return columns.idx_col_low(i); } \
    __device__ __forceinline__ int idx_col_high(int i) const { return columns.idx_col_high(i); } \
    __device__ __forceinline__ int idx_col(int i) const { return columns.idx_col(i); } \
    BrdCol##__B<__D> rows; \
    BrdRow##__B<__D> columns; \
  };
CUDALINT_CV_BORDER(Constant, i < 0 ? 0 : i, i > last ? last : i)
CUDALINT_CV_BORDER(Replicate, i < 0 ? 0 : i, i > last ? last : i)
CUDALINT_CV_BORDER(Reflect, (i < 0 ? -1 - i : i) % length, i > last ? 2 * last + 1 - i : i)
CUDALINT_CV_BORDER(Reflect101, (i < 0 ? -i : i) % length, i > last ? 2 * last - i : i)
CUDALINT_CV_BORDER(Wrap, i < 0 ? i + length : i, i > last ? i - length : i)
#undef CUDALINT_CV_BORDER
namespace compat { using ::double4; using ::make_double4; typedef ::double4 double4Compat; inline __host__ __device__ double4 make_double4_compat(double x, double y, double z, double w) { return ::make_double4(x, y, z, w); } }
}
}
}
namespace cv { using cuda::device::saturate_cast; template <class __T> bool operator==(Size_<__T>, Size_<__T>); template <class __T> bool operator!=(Size_<__T>, Size_<__T>); }
#include "opencv_device.h"
