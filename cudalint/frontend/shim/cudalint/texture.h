// Texture and surface references and objects.
#pragma once
#pragma clang system_header
#include "runtime_api.h"
template <class T, int Dim = cudaTextureType1D, cudaTextureReadMode Mode = cudaReadModeElementType>
struct __attribute__((device_builtin_texture_type)) texture : textureReference {
  texture(int norm = 0, cudaTextureFilterMode f = cudaFilterModePoint, cudaTextureAddressMode a = cudaAddressModeClamp);
  texture(int norm, cudaTextureFilterMode f, cudaTextureAddressMode a, cudaChannelFormatDesc d);
};
template <class T, int Dim = 1> struct __attribute__((device_builtin_surface_type)) surface : surfaceReference { surface(); };
template <int Dim> struct __attribute__((device_builtin_surface_type)) surface<void, Dim> : surfaceReference { surface(); };
template <class T> struct cudalint_float_of { using type = float; };
#define CUDALINT_FLOAT_OF(n) \
  template <> struct cudalint_float_of<char##n> { using type = float##n; }; template <> struct cudalint_float_of<uchar##n> { using type = float##n; }; \
  template <> struct cudalint_float_of<short##n> { using type = float##n; }; template <> struct cudalint_float_of<ushort##n> { using type = float##n; };
CUDALINT_FLOAT_OF(1) CUDALINT_FLOAT_OF(2) CUDALINT_FLOAT_OF(4)
#undef CUDALINT_FLOAT_OF
template <class T, cudaTextureReadMode M> struct cudalint_texel { using type = T; };
template <class T> struct cudalint_texel<T, cudaReadModeNormalizedFloat> { using type = typename cudalint_float_of<T>::type; };
#define CUDALINT_TEX(name, dim, ...) \
  template <class T, cudaTextureReadMode M> __device__ typename cudalint_texel<T, M>::type name(texture<T, dim, M>, __VA_ARGS__); \
  template <class T> __device__ T name(cudaTextureObject_t, __VA_ARGS__); \
  template <class T> __device__ void name(T *, cudaTextureObject_t, __VA_ARGS__);
CUDALINT_TEX(tex1Dfetch, 1, int)
CUDALINT_TEX(tex1D, 1, float)
CUDALINT_TEX(tex2D, 2, float, float)
CUDALINT_TEX(tex3D, 3, float, float, float)
CUDALINT_TEX(tex1DLayered, 0xF1, float, int)
CUDALINT_TEX(tex2DLayered, 0xF2, float, float, int)
CUDALINT_TEX(texCubemap, 0x0C, float, float, float)
CUDALINT_TEX(texCubemapLayered, 0xFC, float, float, float, int)
CUDALINT_TEX(tex1DLod, 1, float, float)
CUDALINT_TEX(tex2DLod, 2, float, float, float)
CUDALINT_TEX(tex3DLod, 3, float, float, float, float)
CUDALINT_TEX(tex1DGrad, 1, float, float, float)
CUDALINT_TEX(tex2DGrad, 2, float, float, float2, float2)
CUDALINT_TEX(tex3DGrad, 3, float, float, float, float4, float4)
CUDALINT_TEX(tex2DLayeredLod, 0xF2, float, float, int, float)
#undef CUDALINT_TEX
template <class T> __device__ T tex2Dgather(cudaTextureObject_t, float, float, int = 0);
template <class T, cudaTextureReadMode M> __device__ T tex2Dgather(texture<T, 2, M>, float, float, int = 0);
#define CUDALINT_SURF(suffix, dim, ...) \
  template <class T> __device__ T surf##suffix##read(cudaSurfaceObject_t, __VA_ARGS__, cudaSurfaceBoundaryMode = cudaBoundaryModeTrap); \
  template <class T> __device__ void surf##suffix##read(T *, cudaSurfaceObject_t, __VA_ARGS__, cudaSurfaceBoundaryMode = cudaBoundaryModeTrap); \
  template <class T> __device__ void surf##suffix##write(T, cudaSurfaceObject_t, __VA_ARGS__, cudaSurfaceBoundaryMode = cudaBoundaryModeTrap); \
  template <class T> __device__ T surf##suffix##read(surface<void, dim>, __VA_ARGS__, cudaSurfaceBoundaryMode = cudaBoundaryModeTrap); \
  template <class T> __device__ void surf##suffix##read(T *, surface<void, dim>, __VA_ARGS__, cudaSurfaceBoundaryMode = cudaBoundaryModeTrap); \
  template <class T> __device__ void surf##suffix##write(T, surface<void, dim>, __VA_ARGS__, cudaSurfaceBoundaryMode = cudaBoundaryModeTrap);
CUDALINT_SURF(1D, 1, int)
CUDALINT_SURF(2D, 2, int, int)
CUDALINT_SURF(3D, 3, int, int, int)
CUDALINT_SURF(1DLayered, 0xF1, int, int)
CUDALINT_SURF(2DLayered, 0xF2, int, int, int)
CUDALINT_SURF(Cubemap, 0x0C, int, int, int)
CUDALINT_SURF(CubemapLayered, 0xFC, int, int, int)
#undef CUDALINT_SURF
template <class T, int Dim, cudaTextureReadMode M> cudaError_t cudaBindTexture(size_t *, const texture<T, Dim, M> &, const void *, const cudaChannelFormatDesc &, size_t = 0xffffffff);
template <class T, int Dim, cudaTextureReadMode M> cudaError_t cudaBindTexture(size_t *, const texture<T, Dim, M> &, const void *, size_t = 0xffffffff);
template <class T, int Dim, cudaTextureReadMode M> cudaError_t cudaBindTexture2D(size_t *, const texture<T, Dim, M> &, const void *, const cudaChannelFormatDesc &, size_t, size_t, size_t);
template <class T, int Dim, cudaTextureReadMode M> cudaError_t cudaBindTexture2D(size_t *, const texture<T, Dim, M> &, const void *, size_t, size_t, size_t);
template <class T, int Dim, cudaTextureReadMode M> cudaError_t cudaBindTextureToArray(const texture<T, Dim, M> &, cudaArray_const_t, const cudaChannelFormatDesc &);
template <class T, int Dim, cudaTextureReadMode M> cudaError_t cudaBindTextureToArray(const texture<T, Dim, M> &, cudaArray_const_t);
template <class T, int Dim, cudaTextureReadMode M> cudaError_t cudaUnbindTexture(const texture<T, Dim, M> &);
template <class T, int Dim, cudaTextureReadMode M> cudaError_t cudaGetTextureAlignmentOffset(size_t *, const texture<T, Dim, M> &);
template <class T, int Dim> cudaError_t cudaBindSurfaceToArray(const surface<T, Dim> &, cudaArray_const_t);
template <class T, int Dim> cudaError_t cudaBindSurfaceToArray(const surface<T, Dim> &, cudaArray_const_t, const cudaChannelFormatDesc &);
