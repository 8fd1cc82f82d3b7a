// What kernels use of GLM: vectors and matrices of plain numbers, column by column. Operands are passed by
// value, so that callers load them.
#pragma once
#pragma clang system_header

#include <cmath>

#define CUDALINT_GLM inline __host__ __device__

namespace glm {

using std::abs;
using std::exp;
using std::floor;
using std::log;
using std::pow;
using std::sqrt;

typedef int length_t;
enum qualifier { packed_highp, defaultp = packed_highp };

template <length_t L, typename T, qualifier Q = defaultp> struct vec;

template <typename T, qualifier Q> struct vec<2, T, Q> {
    union { T x, r, s; };
    union { T y, g, t; };
    vec() = default;
    template <typename A> CUDALINT_GLM explicit vec(A all) : x(T(all)), y(T(all)) {}
    template <typename A, typename B> CUDALINT_GLM vec(A a, B b) : x(T(a)), y(T(b)) {}
    template <length_t L, typename A> CUDALINT_GLM vec(const vec<L, A, Q> &v) : x(T(v.x)), y(T(v.y)) {}
    CUDALINT_GLM T &operator[](length_t at) { return (&x)[at]; }
    CUDALINT_GLM const T &operator[](length_t at) const { return (&x)[at]; }
};

template <typename T, qualifier Q> struct vec<3, T, Q> {
    union { T x, r, s; };
    union { T y, g, t; };
    union { T z, b, p; };
    vec() = default;
    template <typename A> CUDALINT_GLM explicit vec(A all) : x(T(all)), y(T(all)), z(T(all)) {}
    template <typename A, typename B, typename C> CUDALINT_GLM vec(A a, B b, C c) : x(T(a)), y(T(b)), z(T(c)) {}
    template <typename A, typename B> CUDALINT_GLM vec(const vec<2, A, Q> &v, B c) : x(T(v.x)), y(T(v.y)), z(T(c)) {}
    template <length_t L, typename A>
    CUDALINT_GLM explicit vec(const vec<L, A, Q> &v) : x(T(v.x)), y(T(v.y)), z(T(v.z)) {}
    CUDALINT_GLM T &operator[](length_t at) { return (&x)[at]; }
    CUDALINT_GLM const T &operator[](length_t at) const { return (&x)[at]; }
};

template <typename T, qualifier Q> struct vec<4, T, Q> {
    union { T x, r, s; };
    union { T y, g, t; };
    union { T z, b, p; };
    union { T w, a, q; };
    vec() = default;
    template <typename A> CUDALINT_GLM explicit vec(A all) : x(T(all)), y(T(all)), z(T(all)), w(T(all)) {}
    template <typename A, typename B, typename C, typename D>
    CUDALINT_GLM vec(A a, B b, C c, D d) : x(T(a)), y(T(b)), z(T(c)), w(T(d)) {}
    template <typename A, typename B>
    CUDALINT_GLM vec(const vec<3, A, Q> &v, B d) : x(T(v.x)), y(T(v.y)), z(T(v.z)), w(T(d)) {}
    template <typename A>
    CUDALINT_GLM explicit vec(const vec<4, A, Q> &v) : x(T(v.x)), y(T(v.y)), z(T(v.z)), w(T(v.w)) {}
    CUDALINT_GLM T &operator[](length_t at) { return (&x)[at]; }
    CUDALINT_GLM const T &operator[](length_t at) const { return (&x)[at]; }
};

template <length_t L, typename T, qualifier Q>
CUDALINT_GLM vec<L, T, Q> &operator+=(vec<L, T, Q> &v, vec<L, T, Q> other)
{
    for (length_t at = 0; at < L; ++at) v[at] += other[at];
    return v;
}
template <length_t L, typename T, qualifier Q, typename A>
CUDALINT_GLM auto operator+=(vec<L, T, Q> &v, A by) -> decltype(T(by), (v))
{
    for (length_t at = 0; at < L; ++at) v[at] += T(by);
    return v;
}
template <length_t L, typename T, qualifier Q>
CUDALINT_GLM vec<L, T, Q> operator+(vec<L, T, Q> v, vec<L, T, Q> other) { return v += other; }
template <length_t L, typename T, qualifier Q, typename A>
CUDALINT_GLM auto operator+(vec<L, T, Q> v, A by) -> decltype(T(by), vec<L, T, Q>()) { return v += T(by); }
template <length_t L, typename T, qualifier Q, typename A>
CUDALINT_GLM auto operator+(A by, vec<L, T, Q> v) -> decltype(T(by), vec<L, T, Q>())
{
    return vec<L, T, Q>(T(by)) + v;
}

template <length_t L, typename T, qualifier Q>
CUDALINT_GLM vec<L, T, Q> &operator-=(vec<L, T, Q> &v, vec<L, T, Q> other)
{
    for (length_t at = 0; at < L; ++at) v[at] -= other[at];
    return v;
}
template <length_t L, typename T, qualifier Q, typename A>
CUDALINT_GLM auto operator-=(vec<L, T, Q> &v, A by) -> decltype(T(by), (v))
{
    for (length_t at = 0; at < L; ++at) v[at] -= T(by);
    return v;
}
template <length_t L, typename T, qualifier Q>
CUDALINT_GLM vec<L, T, Q> operator-(vec<L, T, Q> v, vec<L, T, Q> other) { return v -= other; }
template <length_t L, typename T, qualifier Q, typename A>
CUDALINT_GLM auto operator-(vec<L, T, Q> v, A by) -> decltype(T(by), vec<L, T, Q>()) { return v -= T(by); }
template <length_t L, typename T, qualifier Q, typename A>
CUDALINT_GLM auto operator-(A by, vec<L, T, Q> v) -> decltype(T(by), vec<L, T, Q>())
{
    return vec<L, T, Q>(T(by)) - v;
}

template <length_t L, typename T, qualifier Q>
CUDALINT_GLM vec<L, T, Q> &operator*=(vec<L, T, Q> &v, vec<L, T, Q> other)
{
    for (length_t at = 0; at < L; ++at) v[at] *= other[at];
    return v;
}
template <length_t L, typename T, qualifier Q, typename A>
CUDALINT_GLM auto operator*=(vec<L, T, Q> &v, A by) -> decltype(T(by), (v))
{
    for (length_t at = 0; at < L; ++at) v[at] *= T(by);
    return v;
}
template <length_t L, typename T, qualifier Q>
CUDALINT_GLM vec<L, T, Q> operator*(vec<L, T, Q> v, vec<L, T, Q> other) { return v *= other; }
template <length_t L, typename T, qualifier Q, typename A>
CUDALINT_GLM auto operator*(vec<L, T, Q> v, A by) -> decltype(T(by), vec<L, T, Q>()) { return v *= T(by); }
template <length_t L, typename T, qualifier Q, typename A>
CUDALINT_GLM auto operator*(A by, vec<L, T, Q> v) -> decltype(T(by), vec<L, T, Q>())
{
    return vec<L, T, Q>(T(by)) * v;
}

template <length_t L, typename T, qualifier Q>
CUDALINT_GLM vec<L, T, Q> &operator/=(vec<L, T, Q> &v, vec<L, T, Q> other)
{
    for (length_t at = 0; at < L; ++at) v[at] /= other[at];
    return v;
}
template <length_t L, typename T, qualifier Q, typename A>
CUDALINT_GLM auto operator/=(vec<L, T, Q> &v, A by) -> decltype(T(by), (v))
{
    for (length_t at = 0; at < L; ++at) v[at] /= T(by);
    return v;
}
template <length_t L, typename T, qualifier Q>
CUDALINT_GLM vec<L, T, Q> operator/(vec<L, T, Q> v, vec<L, T, Q> other) { return v /= other; }
template <length_t L, typename T, qualifier Q, typename A>
CUDALINT_GLM auto operator/(vec<L, T, Q> v, A by) -> decltype(T(by), vec<L, T, Q>()) { return v /= T(by); }
template <length_t L, typename T, qualifier Q, typename A>
CUDALINT_GLM auto operator/(A by, vec<L, T, Q> v) -> decltype(T(by), vec<L, T, Q>())
{
    return vec<L, T, Q>(T(by)) / v;
}

template <length_t L, typename T, qualifier Q> CUDALINT_GLM vec<L, T, Q> operator-(vec<L, T, Q> v)
{
    for (length_t at = 0; at < L; ++at) v[at] = -v[at];
    return v;
}

template <length_t L, typename T, qualifier Q>
CUDALINT_GLM bool operator==(vec<L, T, Q> v, vec<L, T, Q> other)
{
    bool same = true;
    for (length_t at = 0; at < L; ++at) same = same && v[at] == other[at];
    return same;
}

template <length_t L, typename T, qualifier Q>
CUDALINT_GLM bool operator!=(vec<L, T, Q> v, vec<L, T, Q> other) { return !(v == other); }

// C columns of R numbers
template <length_t C, length_t R, typename T, qualifier Q = defaultp> struct mat {
    vec<R, T, Q> columns[C];
    mat() = default;
    template <typename A> CUDALINT_GLM explicit mat(A diagonal)
    {
        for (length_t c = 0; c < C; ++c)
            for (length_t r = 0; r < R; ++r) columns[c][r] = c == r ? T(diagonal) : T(0);
    }
    template <length_t D, length_t S, typename A> CUDALINT_GLM explicit mat(const mat<D, S, A, Q> &other)
    {
        for (length_t c = 0; c < C; ++c)
            for (length_t r = 0; r < R; ++r) columns[c][r] = T(other[c][r]);
    }
    template <typename A, typename B, typename... More> CUDALINT_GLM mat(A first, B second, More... more)
    {
        fill(0, first, second, more...);
    }
    CUDALINT_GLM vec<R, T, Q> &operator[](length_t c) { return columns[c]; }
    CUDALINT_GLM const vec<R, T, Q> &operator[](length_t c) const { return columns[c]; }

  private:
    CUDALINT_GLM void fill(length_t) {}
    template <typename A, typename... More> CUDALINT_GLM void fill(length_t at, A number, More... more)
    {
        columns[at / R][at % R] = T(number);
        fill(at + 1, more...);
    }
    template <typename... More> CUDALINT_GLM void fill(length_t at, vec<R, T, Q> column, More... more)
    {
        columns[at / R] = column;
        fill(at + R, more...);
    }
};

template <length_t C, length_t R, length_t K, typename T, qualifier Q>
CUDALINT_GLM mat<C, R, T, Q> operator*(mat<K, R, T, Q> a, mat<C, K, T, Q> b)
{
    mat<C, R, T, Q> made;
    for (length_t c = 0; c < C; ++c)
        for (length_t r = 0; r < R; ++r) {
            T sum = T(0);
            for (length_t k = 0; k < K; ++k) sum += a[k][r] * b[c][k];
            made[c][r] = sum;
        }
    return made;
}

template <length_t C, length_t R, typename T, qualifier Q>
CUDALINT_GLM vec<R, T, Q> operator*(mat<C, R, T, Q> m, vec<C, T, Q> v)
{
    vec<R, T, Q> made;
    for (length_t r = 0; r < R; ++r) {
        T sum = T(0);
        for (length_t c = 0; c < C; ++c) sum += m[c][r] * v[c];
        made[r] = sum;
    }
    return made;
}

template <length_t C, length_t R, typename T, qualifier Q>
CUDALINT_GLM vec<C, T, Q> operator*(vec<R, T, Q> v, mat<C, R, T, Q> m)
{
    vec<C, T, Q> made;
    for (length_t c = 0; c < C; ++c) {
        T sum = T(0);
        for (length_t r = 0; r < R; ++r) sum += v[r] * m[c][r];
        made[c] = sum;
    }
    return made;
}

template <length_t C, length_t R, typename T, qualifier Q, typename A>
CUDALINT_GLM auto operator*(mat<C, R, T, Q> m, A by) -> decltype(T(by), mat<C, R, T, Q>())
{
    for (length_t c = 0; c < C; ++c) m[c] *= T(by);
    return m;
}

template <length_t C, length_t R, typename T, qualifier Q, typename A>
CUDALINT_GLM auto operator*(A by, mat<C, R, T, Q> m) -> decltype(T(by), mat<C, R, T, Q>()) { return m * T(by); }

template <length_t C, length_t R, typename T, qualifier Q>
CUDALINT_GLM mat<C, R, T, Q> operator+(mat<C, R, T, Q> a, mat<C, R, T, Q> b)
{
    for (length_t c = 0; c < C; ++c) a[c] += b[c];
    return a;
}

template <length_t C, length_t R, typename T, qualifier Q>
CUDALINT_GLM mat<C, R, T, Q> operator-(mat<C, R, T, Q> a, mat<C, R, T, Q> b)
{
    for (length_t c = 0; c < C; ++c) a[c] -= b[c];
    return a;
}

template <length_t C, length_t R, typename T, qualifier Q>
CUDALINT_GLM mat<R, C, T, Q> transpose(mat<C, R, T, Q> m)
{
    mat<R, C, T, Q> made;
    for (length_t c = 0; c < C; ++c)
        for (length_t r = 0; r < R; ++r) made[r][c] = m[c][r];
    return made;
}

template <length_t C, length_t R, typename T, qualifier Q> mat<C, R, T, Q> inverse(mat<C, R, T, Q> m);
template <length_t C, length_t R, typename T, qualifier Q>
__host__ __device__ T determinant(mat<C, R, T, Q> m);

template <length_t L, typename T, qualifier Q>
CUDALINT_GLM T dot(vec<L, T, Q> v, vec<L, T, Q> other)
{
    T sum = T(0);
    for (length_t at = 0; at < L; ++at) sum += v[at] * other[at];
    return sum;
}

template <length_t L, typename T, qualifier Q> CUDALINT_GLM T length(vec<L, T, Q> v) { return sqrt(dot(v, v)); }

template <length_t L, typename T, qualifier Q>
CUDALINT_GLM T distance(vec<L, T, Q> v, vec<L, T, Q> other) { return length(v - other); }

template <length_t L, typename T, qualifier Q> CUDALINT_GLM vec<L, T, Q> normalize(vec<L, T, Q> v)
{
    return v * (T(1) / sqrt(dot(v, v)));
}

template <typename T, qualifier Q>
CUDALINT_GLM vec<3, T, Q> cross(vec<3, T, Q> a, vec<3, T, Q> b)
{
    return vec<3, T, Q>(a.y * b.z - b.y * a.z, a.z * b.x - b.z * a.x, a.x * b.y - b.x * a.y);
}

template <typename T> CUDALINT_GLM T min(T a, T b) { return b < a ? b : a; }
template <typename T> CUDALINT_GLM T max(T a, T b) { return a < b ? b : a; }
template <typename T> CUDALINT_GLM T clamp(T a, T low, T high) { return min(max(a, low), high); }
template <typename T, typename A> CUDALINT_GLM T mix(const T &a, const T &b, A at) { return a + (b - a) * at; }

#define CUDALINT_GLM_TWO(NAME) \
    template <length_t L, typename T, qualifier Q> CUDALINT_GLM vec<L, T, Q> NAME(vec<L, T, Q> v, vec<L, T, Q> other) \
    { \
        for (length_t at = 0; at < L; ++at) v[at] = NAME(v[at], other[at]); \
        return v; \
    } \
    template <length_t L, typename T, qualifier Q> CUDALINT_GLM vec<L, T, Q> NAME(vec<L, T, Q> v, T other) \
    { \
        for (length_t at = 0; at < L; ++at) v[at] = NAME(v[at], other); \
        return v; \
    }
CUDALINT_GLM_TWO(min)
CUDALINT_GLM_TWO(max)
CUDALINT_GLM_TWO(pow)

#define CUDALINT_GLM_ONE(NAME) \
    template <length_t L, typename T, qualifier Q> CUDALINT_GLM vec<L, T, Q> NAME(vec<L, T, Q> v) \
    { \
        for (length_t at = 0; at < L; ++at) v[at] = NAME(v[at]); \
        return v; \
    }
CUDALINT_GLM_ONE(abs)
CUDALINT_GLM_ONE(exp)
CUDALINT_GLM_ONE(floor)
CUDALINT_GLM_ONE(log)
CUDALINT_GLM_ONE(sqrt)

template <length_t L, typename T, qualifier Q, typename A>
CUDALINT_GLM vec<L, T, Q> clamp(vec<L, T, Q> v, A low, A high)
{
    for (length_t at = 0; at < L; ++at) v[at] = clamp(v[at], T(low), T(high));
    return v;
}

template <length_t L, typename T, qualifier Q> CUDALINT_GLM const T *value_ptr(const vec<L, T, Q> &v) { return &v.x; }
template <length_t L, typename T, qualifier Q> CUDALINT_GLM T *value_ptr(vec<L, T, Q> &v) { return &v.x; }
template <length_t C, length_t R, typename T, qualifier Q> CUDALINT_GLM const T *value_ptr(const mat<C, R, T, Q> &m)
{
    return &m[0].x;
}

#define CUDALINT_GLM_NAMES(PREFIX, T)                                                                              \
    using PREFIX##vec2 = vec<2, T>;                                                                                \
    using PREFIX##vec3 = vec<3, T>;                                                                                \
    using PREFIX##vec4 = vec<4, T>;                                                                                \
    using PREFIX##mat2 = mat<2, 2, T>;                                                                             \
    using PREFIX##mat3 = mat<3, 3, T>;                                                                             \
    using PREFIX##mat4 = mat<4, 4, T>;                                                                             \
    using PREFIX##mat2x2 = mat<2, 2, T>;                                                                           \
    using PREFIX##mat2x3 = mat<2, 3, T>;                                                                           \
    using PREFIX##mat3x2 = mat<3, 2, T>;                                                                           \
    using PREFIX##mat3x3 = mat<3, 3, T>;                                                                           \
    using PREFIX##mat3x4 = mat<3, 4, T>;                                                                           \
    using PREFIX##mat4x3 = mat<4, 3, T>;                                                                           \
    using PREFIX##mat4x4 = mat<4, 4, T>;

CUDALINT_GLM_NAMES(, float)
CUDALINT_GLM_NAMES(d, double)
CUDALINT_GLM_NAMES(i, int)
CUDALINT_GLM_NAMES(u, unsigned)
CUDALINT_GLM_NAMES(b, bool)

}  // namespace glm
