// Texture and surface references and objects.
#pragma once
#pragma clang system_header
#include "runtime_api.h"
#ifdef CUDALINT_WITHOUT_REFERENCES
#define texture cudalint_texture
#define surface cudalint_surface
#endif
template <class __T, int Dim = cudaTextureType1D, cudaTextureReadMode Mode = cudaReadModeElementType>
struct __attribute__((device_builtin_texture_type)) texture : textureReference {
  texture(int norm = 0, cudaTextureFilterMode f = cudaFilterModePoint, cudaTextureAddressMode a = cudaAddressModeClamp);
  texture(int norm, cudaTextureFilterMode f, cudaTextureAddressMode a, cudaChannelFormatDesc d);
};
template <class __T, int Dim = 1> struct __attribute__((device_builtin_surface_type)) surface : surfaceReference { surface(); };
template <int Dim> struct __attribute__((device_builtin_surface_type)) surface<void, Dim> : surfaceReference { surface(); };
template <class __T> struct cudalint_float_of { using type = float; };
#define CUDALINT_FLOAT_OF(n) \
  template <> struct cudalint_float_of<char##n> { using type = float##n; }; template <> struct cudalint_float_of<uchar##n> { using type = float##n; }; \
  template <> struct cudalint_float_of<short##n> { using type = float##n; }; template <> struct cudalint_float_of<ushort##n> { using type = float##n; };
CUDALINT_FLOAT_OF(1) CUDALINT_FLOAT_OF(2) CUDALINT_FLOAT_OF(4)
#undef CUDALINT_FLOAT_OF
template <class __T, cudaTextureReadMode __M> struct cudalint_texel { using type = __T; };
template <class __T> struct cudalint_texel<__T, cudaReadModeNormalizedFloat> { using type = typename cudalint_float_of<__T>::type; };
#define CUDALINT_TEX(name, dim, ...) \
  template <class __T, cudaTextureReadMode __M> __device__ typename cudalint_texel<__T, __M>::type name(texture<__T, dim, __M>, __VA_ARGS__); \
  template <class __T> __device__ __T name(cudaTextureObject_t, __VA_ARGS__); \
  template <class __T> __device__ void name(__T *, cudaTextureObject_t, __VA_ARGS__);
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
template <class __T> __device__ __T tex2Dgather(cudaTextureObject_t, float, float, int = 0);
template <class __T, cudaTextureReadMode __M> __device__ __T tex2Dgather(texture<__T, 2, __M>, float, float, int = 0);
#define CUDALINT_SURF(suffix, dim, ...) \
  template <class __T> __device__ __T surf##suffix##read(cudaSurfaceObject_t, __VA_ARGS__, cudaSurfaceBoundaryMode = cudaBoundaryModeTrap); \
  template <class __T> __device__ void surf##suffix##read(__T *, cudaSurfaceObject_t, __VA_ARGS__, cudaSurfaceBoundaryMode = cudaBoundaryModeTrap); \
  template <class __T> __device__ void surf##suffix##write(__T, cudaSurfaceObject_t, __VA_ARGS__, cudaSurfaceBoundaryMode = cudaBoundaryModeTrap); \
  template <class __T> __device__ __T surf##suffix##read(surface<void, dim>, __VA_ARGS__, cudaSurfaceBoundaryMode = cudaBoundaryModeTrap); \
  template <class __T> __device__ void surf##suffix##read(__T *, surface<void, dim>, __VA_ARGS__, cudaSurfaceBoundaryMode = cudaBoundaryModeTrap); \
  template <class __T> __device__ void surf##suffix##write(__T, surface<void, dim>, __VA_ARGS__, cudaSurfaceBoundaryMode = cudaBoundaryModeTrap);
CUDALINT_SURF(1D, 1, int)
CUDALINT_SURF(2D, 2, int, int)
CUDALINT_SURF(3D, 3, int, int, int)
CUDALINT_SURF(1DLayered, 0xF1, int, int)
CUDALINT_SURF(2DLayered, 0xF2, int, int, int)
CUDALINT_SURF(Cubemap, 0x0C, int, int, int)
CUDALINT_SURF(CubemapLayered, 0xFC, int, int, int)
#undef CUDALINT_SURF
template <class __T, int Dim, cudaTextureReadMode __M> cudaError_t cudaBindTexture(size_t *, const texture<__T, Dim, __M> &, const void *, const cudaChannelFormatDesc &, size_t = 0xffffffff);
template <class __T, int Dim, cudaTextureReadMode __M> cudaError_t cudaBindTexture(size_t *, const texture<__T, Dim, __M> &, const void *, size_t = 0xffffffff);
template <class __T, int Dim, cudaTextureReadMode __M> cudaError_t cudaBindTexture2D(size_t *, const texture<__T, Dim, __M> &, const void *, const cudaChannelFormatDesc &, size_t, size_t, size_t);
template <class __T, int Dim, cudaTextureReadMode __M> cudaError_t cudaBindTexture2D(size_t *, const texture<__T, Dim, __M> &, const void *, size_t, size_t, size_t);
template <class __T, int Dim, cudaTextureReadMode __M> cudaError_t cudaBindTextureToArray(const texture<__T, Dim, __M> &, cudaArray_const_t, const cudaChannelFormatDesc &);
template <class __T, int Dim, cudaTextureReadMode __M> cudaError_t cudaBindTextureToArray(const texture<__T, Dim, __M> &, cudaArray_const_t);
template <class __T, int Dim, cudaTextureReadMode __M> cudaError_t cudaUnbindTexture(const texture<__T, Dim, __M> &);
template <class __T, int Dim, cudaTextureReadMode __M> cudaError_t cudaGetTextureAlignmentOffset(size_t *, const texture<__T, Dim, __M> &);
template <class __T, int Dim> cudaError_t cudaBindSurfaceToArray(const surface<__T, Dim> &, cudaArray_const_t);
template <class __T, int Dim> cudaError_t cudaBindSurfaceToArray(const surface<__T, Dim> &, cudaArray_const_t, const cudaChannelFormatDesc &);
#ifdef CUDALINT_WITHOUT_REFERENCES
#undef texture
#undef surface
#endif
