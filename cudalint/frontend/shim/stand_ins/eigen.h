// Small matrices with their elements by columns, as kernels use them.
#pragma once
#pragma clang system_header
#include <cstddef>
#define EIGEN_DEVICE_FUNC __host__ __device__
#define EIGEN_STRONG_INLINE inline
#define EIGEN_MAKE_ALIGNED_OPERATOR_NEW
namespace Eigen {
typedef std::ptrdiff_t Index;
constexpr int Dynamic = -1, ColMajor = 0, RowMajor = 1;
template <class T, int R, int C, int O = ColMajor, int MR = R, int MC = C> class Matrix {
public:
  typedef T Scalar;
  __host__ __device__ Matrix() {}
  __host__ __device__ Matrix(T a, T b) : m{a, b} {}
  __host__ __device__ Matrix(T a, T b, T c) : m{a, b, c} {}
  __host__ __device__ Matrix(T a, T b, T c, T d) : m{a, b, c, d} {}
  __host__ __device__ T &operator()(int i, int j) { return m[O == RowMajor ? i * C + j : j * R + i]; }
  __host__ __device__ const T &operator()(int i, int j) const { return m[O == RowMajor ? i * C + j : j * R + i]; }
  __host__ __device__ T &operator()(int i) { return m[i]; }
  __host__ __device__ const T &operator()(int i) const { return m[i]; }
  __host__ __device__ T &operator[](int i) { return m[i]; }
  __host__ __device__ const T &operator[](int i) const { return m[i]; }
  __host__ __device__ T &x() { return m[0]; }
  __host__ __device__ T &y() { return m[1]; }
  __host__ __device__ T &z() { return m[2]; }
  __host__ __device__ T &w() { return m[3]; }
  __host__ __device__ const T &x() const { return m[0]; }
  __host__ __device__ const T &y() const { return m[1]; }
  __host__ __device__ const T &z() const { return m[2]; }
  __host__ __device__ const T &w() const { return m[3]; }
  __host__ __device__ T *data() { return m; }
  __host__ __device__ const T *data() const { return m; }
  __host__ __device__ Matrix operator+(const Matrix &o) const { Matrix r; for (int i = 0; i < N; i++) r.m[i] = m[i] + o.m[i]; return r; }
  __host__ __device__ Matrix operator-(const Matrix &o) const { Matrix r; for (int i = 0; i < N; i++) r.m[i] = m[i] - o.m[i]; return r; }
  __host__ __device__ Matrix operator*(T s) const { Matrix r; for (int i = 0; i < N; i++) r.m[i] = m[i] * s; return r; }
  __host__ __device__ Matrix operator/(T s) const { Matrix r; for (int i = 0; i < N; i++) r.m[i] = m[i] / s; return r; }
  __host__ __device__ Matrix &operator+=(const Matrix &o) { for (int i = 0; i < N; i++) m[i] += o.m[i]; return *this; }
  __host__ __device__ Matrix &operator-=(const Matrix &o) { for (int i = 0; i < N; i++) m[i] -= o.m[i]; return *this; }
  __host__ __device__ Matrix &operator*=(T s) { for (int i = 0; i < N; i++) m[i] *= s; return *this; }
  __host__ __device__ T dot(const Matrix &o) const { T r = 0; for (int i = 0; i < N; i++) r += m[i] * o.m[i]; return r; }
  __host__ __device__ T squaredNorm() const { return dot(*this); }
  __host__ __device__ T norm() const;
  __host__ __device__ T sum() const { T r = 0; for (int i = 0; i < N; i++) r += m[i]; return r; }
  __host__ __device__ Matrix normalized() const;
  __host__ __device__ void normalize();
  __host__ __device__ Matrix cwiseProduct(const Matrix &o) const { Matrix r; for (int i = 0; i < N; i++) r.m[i] = m[i] * o.m[i]; return r; }
  __host__ __device__ Matrix<T, C, R, O> transpose() const;
  __host__ __device__ Matrix inverse() const;
  static __host__ __device__ Matrix Zero() { Matrix r; for (int i = 0; i < N; i++) r.m[i] = 0; return r; }
  static __host__ __device__ Matrix Ones() { Matrix r; for (int i = 0; i < N; i++) r.m[i] = 1; return r; }
  static __host__ __device__ Matrix Constant(T v) { Matrix r; for (int i = 0; i < N; i++) r.m[i] = v; return r; }
  static __host__ __device__ Matrix Identity();
  __host__ __device__ void setZero() { for (int i = 0; i < N; i++) m[i] = 0; }
  template <class U> __host__ __device__ Matrix<U, R, C, O> cast() const;
  static constexpr int N = R > 0 && C > 0 ? R * C : 1;
  T m[N];
};
template <class T, int R, int K, int C, int O, int P> __host__ __device__ Matrix<T, R, C, O> operator*(const Matrix<T, R, K, O> &a, const Matrix<T, K, C, P> &b) {
  Matrix<T, R, C, O> r;
  for (int i = 0; i < R; i++)
    for (int j = 0; j < C; j++) {
      T s = 0;
      for (int k = 0; k < K; k++) s += a(i, k) * b(k, j);
      r(i, j) = s;
    }
  return r;
}
template <class T, int R, int C, int O> __host__ __device__ Matrix<T, R, C, O> operator*(T s, const Matrix<T, R, C, O> &a) { return a * s; }
template <class T, int R, int C, int O = ColMajor> using Array = Matrix<T, R, C, O>;
template <class M> class Map : public M {
public:
  __host__ __device__ Map(typename M::Scalar *);
};
#define CUDALINT_EIGEN(n) \
  typedef Matrix<float, n, 1> Vector##n##f; typedef Matrix<double, n, 1> Vector##n##d; \
  typedef Matrix<int, n, 1> Vector##n##i; typedef Matrix<float, n, n> Matrix##n##f; typedef Matrix<double, n, n> Matrix##n##d; \
  typedef Array<float, n, 1> Array##n##f; typedef Array<int, n, 1> Array##n##i;
CUDALINT_EIGEN(2) CUDALINT_EIGEN(3) CUDALINT_EIGEN(4)
typedef Matrix<float, Dynamic, Dynamic> MatrixXf;
typedef Matrix<double, Dynamic, Dynamic> MatrixXd;
typedef Matrix<float, Dynamic, 1> VectorXf;
typedef Matrix<double, Dynamic, 1> VectorXd;
}
