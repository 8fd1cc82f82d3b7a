// Arrays of a thread, and the stack frame that nvcc gives each kernel for them: bytes, behind each launch.
//
//     nvcc -arch=sm_90 -cubin -Xptxas -v tests/hardware/local_arrays.cu
//
// The numbers are those of nvcc 13.0 for sm_90. `found`: cudalint says so too.
#include <cuda_runtime.h>

template <typename T, int N> __global__ void picked(T *out, const T *in, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    T values[N];
    for (int k = 0; k < N; ++k)
        values[k] = in[k * m + i];
    out[i] = values[m];
}

template <typename T, int N> __global__ void summed_up(T *out, const T *in, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    T values[N];
    for (int k = 0; k < N; ++k)
        values[k] = 0;
    for (int k = 0; k < n; ++k)
        values[min((unsigned)in[k * m + i], (unsigned)(N - 1))] += 1;
    for (int k = 0; k < N; ++k)
        out[k * m + i] = values[k];
}

template <typename T, int N> __global__ void summed_by_rest(T *out, const T *in, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    T values[N];
    for (int k = 0; k < N; ++k)
        values[k] = 0;
    for (int k = 0; k < n; ++k)
        values[(unsigned)in[k * m + i] % N] += 1;
    for (int k = 0; k < N; ++k)
        out[k * m + i] = values[k];
}

template <typename T, int N> __global__ void picked_by_lane(T *out, const T *in, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    T values[N];
    for (int k = 0; k < N; ++k)
        values[k] = in[k * m + i];
    out[i] = values[i % N];
}

template <typename T, int N> __global__ void picked_four(T *out, const T *in, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    T values[N];
    for (int k = 0; k < N; ++k)
        values[k] = in[k * m + i];
    out[i] = values[m] * values[n] + values[m + n] - values[i % N];
}

template <typename T, int N> __global__ void picked_eight(T *out, const T *in, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    T values[N];
    for (int k = 0; k < N; ++k)
        values[k] = in[k * m + i];
    T sum = 0;
    for (int k = 0; k < 8; ++k)
        sum += values[(m * k + n) % N];
    out[i] = sum;
}

template <typename T, int N> __global__ void stored(T *out, const T *in, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    T values[N];
    for (int k = 0; k < N; ++k)
        values[k] = in[k * m + i];
    values[m] = 3;
    T sum = 0;
    for (int k = 0; k < N; ++k)
        sum += values[k] * values[N - 1 - k];
    out[i] = sum;
}

template <typename T, int N> __global__ void added(T *out, const T *in, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    T values[N];
    for (int k = 0; k < N; ++k)
        values[k] = in[k * m + i];
    for (int k = 0; k < n; ++k)
        values[(int)in[k]] += in[k + i];
    T sum = 0;
    for (int k = 0; k < N; ++k)
        sum += values[k] * values[N - 1 - k];
    out[i] = sum;
}

template <typename T, int N> __global__ void read_by_data(T *out, const T *in, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    T values[N];
    for (int k = 0; k < N; ++k)
        values[k] = in[k * m + i];
    for (int k = 0; k < n; ++k)
        out[k * m + i] = values[(int)in[k]];
}

template <typename T, int N> __global__ void counted(T *out, const T *in, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    T values[N];
    for (int k = 0; k < N; ++k)
        values[k] = in[k * m + i];
    for (int k = 0; k < n; ++k)
        out[k * m + i] = values[k];
}

template <typename T, int N> __global__ void both_counted(T *out, const T *in, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    T values[N];
    for (int k = 0; k < N; ++k)
        values[k] = in[k * m + i];
    for (int k = 0; k < n; ++k)
        values[k] = in[k * m + i];
    for (int k = 0; k < n; ++k)
        out[k * m + i] = values[k];
}

template <typename T, int N> __global__ void inserted(T *out, const T *in, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    T values[N];
    for (int k = 0; k < N; ++k)
        values[k] = in[k * m + i];
    for (int k = 0; k < n; ++k) {
        T v = in[k * m + i];
        int p = N - 1;
        while (p > 0 && values[p - 1] > v) {
            values[p] = values[p - 1];
            --p;
        }
        values[p] = v;
    }
    T sum = 0;
    for (int k = 0; k < N; ++k)
        sum += values[k] * values[N - 1 - k];
    out[i] = sum;
}

template <typename T, int N> __global__ void packed(T *out, const T *in, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    T values[N];
    int count = 0;
    for (int k = 0; k < N; ++k)
        if (in[k * m + i] > 0)
            values[count++] = in[k * m + i];
    T sum = 0;
    for (int k = 0; k < N; ++k)
        if (k < count)
            sum += values[k];
    out[i] = sum;
}

template <typename T, int N> __global__ void least(T *out, const T *in, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    T values[N];
    for (int k = 0; k < N; ++k)
        values[k] = in[k * m + i];
    int best = 0;
    for (int k = 1; k < N; ++k)
        if (values[k] < values[best])
            best = k;
    out[i] = best;
}

template <typename T, int N> __global__ void in_turn(T *out, const T *in, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    T values[2][N];
    int now = 0;
    for (int k = 0; k < N; ++k)
        values[0][k] = in[k * m + i];
    for (int r = 0; r < n; ++r) {
        for (int k = 0; k < N; ++k)
            values[now ^ 1][k] = values[now][k] + in[r];
        now ^= 1;
    }
    for (int k = 0; k < N; ++k)
        out[k * m + i] = values[now][k];
}

template <typename T, int N> __global__ void ring(T *out, const T *in, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    T values[N];
    for (int k = 0; k < N; ++k)
        values[k] = in[k * m + i];
    int p = 0;
    for (int k = 0; k < n; ++k) {
        values[p] = in[k + i];
        p = (p + 1) % N;
        T sum = 0;
        for (int l = 0; l < N; ++l)
            sum += values[l];
        out[k * m + i] = sum;
    }
}

template <typename T, int N> struct History {
    T values[N];
    int head = 0;
    __device__ History()
    {
        for (int k = 0; k < N; ++k)
            values[k] = 0;
    }
    __device__ void push(T value)
    {
        head = head == 0 ? N - 1 : head - 1;
        values[head] = value;
    }
    __device__ T at(int age) const
    {
        int k = head + age;
        if (k >= N)
            k -= N;
        return values[k];
    }
};

template <typename T, int N> __global__ void history(T *out, const T *in, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    History<T, N> past;
    for (int k = 0; k < n; ++k) {
        past.push(in[k * m + i]);
        T sum = 0;
        for (int l = 0; l < N; ++l)
            sum += in[l] * past.at(l);
        out[k * m + i] = sum;
    }
}

template <typename T, int N> struct Shifted {
    T values[N];
    __device__ void push(T value)
    {
        for (int k = N - 1; k > 0; --k)
            values[k] = values[k - 1];
        values[0] = value;
    }
};

template <typename T, int N> __global__ void shifted(T *out, const T *in, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    Shifted<T, N> past = {};
    for (int k = 0; k < n; ++k) {
        past.push(in[k * m + i]);
        T sum = 0;
        for (int l = 0; l < N; ++l)
            sum += in[l] * past.values[l];
        out[k * m + i] = sum;
    }
}

template <typename T, int N> __global__ void queue(T *out, const T *in, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    T values[N];
    for (int k = 0; k < N; ++k)
        values[k] = in[k * m + i];
    int first = 0, last = 0;
    for (int k = 0; k < n; ++k) {
        values[last] = in[k * m + i];
        last = last + 1 == N ? 0 : last + 1;
        out[k * m + i] = values[first];
        if (in[k] > 0)
            first = first + 1 == N ? 0 : first + 1;
    }
}

template <typename T, int N> __global__ void exchanged(T *out, const T *in, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    T values[N];
    for (int k = 0; k < N; ++k)
        values[k] = in[k * m + i];
    for (int k = 0; k < n; ++k) {
        int a = in[k], b = in[k + m];
        T one = values[a];
        values[a] = values[b];
        values[b] = one;
    }
    for (int k = 0; k < N; ++k)
        out[k * m + i] = values[k];
}

template <typename T, int N> __global__ void walked(T *out, const T *in, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    T values[N];
    for (int k = 0; k < N; ++k)
        values[k] = in[k * m + i];
    T *p = values;
    for (int k = 0; k < n; ++k)
        *p++ *= 2;
    T sum = 0;
    for (int k = 0; k < N; ++k)
        sum += values[k] * values[N - 1 - k];
    out[i] = sum;
}

template <typename T, int N> __global__ void squared(T *out, const T *in, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    T values[N][N];
    for (int y = 0; y < N; ++y)
        for (int x = 0; x < N; ++x)
            values[y][x] = in[(y * N + x) * m + i];
    T sum = 0;
    for (int y = 0; y < N; ++y)
        for (int x = 0; x < N; ++x)
            sum += values[y][x] * values[x][y];
    out[i] = sum;
}

template <typename T, int N> __global__ void sorted(T *out, const T *in, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    T values[N];
    for (int k = 0; k < N; ++k)
        values[k] = in[k * m + i];
    for (int a = 0; a < N; ++a)
        for (int b = a + 1; b < N; ++b)
            if (values[b] < values[a]) {
                T v = values[a];
                values[a] = values[b];
                values[b] = v;
            }
    for (int k = 0; k < N; ++k)
        out[k * m + i] = values[k];
}

template <typename T, int N> __global__ void halved(T *out, const T *in, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    T values[N];
    for (int k = 0; k < N; ++k)
        values[k] = in[k * m + i];
    for (int s = N / 2; s > 0; s >>= 1)
        for (int k = 0; k < s; ++k)
            values[k] += values[k + s];
    out[i] = values[0];
}

template <typename T, int N> __global__ void long_loop(T *out, const T *in, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    T values[8];
    for (int k = 0; k < 8; ++k)
        values[k] = in[k * m + i];
    for (int k = 0; k < N; ++k) {
        T x = in[k * m + i];
        x = x * x * (T)1.5 + x * (T)2.5 + (T)0.25;
        x = x * x * (T)1.5 + x * (T)2.5 + (T)0.25;
        x = x * x * (T)1.5 + x * (T)2.5 + (T)0.25;
        x = x * x * (T)1.5 + x * (T)2.5 + (T)0.25;
        values[(k * k + k / 3) % 8] += x;
    }
    T sum = 0;
    for (int k = 0; k < 8; ++k)
        sum += values[k] * values[7 - k];
    out[i] = sum;
}

template <typename T, int N> __global__ void asked_for(T *out, const T *in, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    T values[N];
#pragma unroll
    for (int k = 0; k < N; ++k)
        values[k] = in[k * m + i];
    T sum = 0;
    for (int k = 0; k < N; ++k)
        sum += values[k] * values[N - 1 - k];
    out[i] = sum;
}

template <typename T, int N> __global__ void kept(T *out, const T *in, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    T values[N];
#pragma unroll 1
    for (int k = 0; k < N; ++k)
        values[k] = in[k * m + i];
    T sum = 0;
    for (int k = 0; k < N; ++k)
        sum += values[k] * values[N - 1 - k];
    out[i] = sum;
}

template <typename T, int N> __global__ void large(T *out, const T *in, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    T values[N];
    for (int k = 0; k < N; ++k)
        values[k] = in[k * m + i];
    T sum = 0;
    for (int k = 0; k < N; ++k)
        sum += values[k] * values[N - 1 - k];
    out[i] = sum;
}

void run(float *f, double *d, int *j, unsigned char *c, short *h, long long *q, int n, int m)
{
    picked<float, 4><<<1, 32>>>(f, f, n, m);                 // 0
    picked<float, 16><<<1, 32>>>(f, f, n, m);                // 0
    picked<float, 64><<<1, 32>>>(f, f, n, m);                // 0
    picked<float, 256><<<1, 32>>>(f, f, n, m);               // 1024 found
    picked<double, 3><<<1, 32>>>(d, d, n, m);                // 24 found
    picked<double, 8><<<1, 32>>>(d, d, n, m);                // 64 found
    picked<unsigned char, 8><<<1, 32>>>(c, c, n, m);         // 8 found
    picked<short, 8><<<1, 32>>>(h, h, n, m);                 // 16 found
    picked_by_lane<float, 4><<<1, 32>>>(f, f, n, m);         // 0
    picked_by_lane<float, 16><<<1, 32>>>(f, f, n, m);        // 0
    picked_by_lane<float, 64><<<1, 32>>>(f, f, n, m);        // 0
    picked_by_lane<float, 256><<<1, 32>>>(f, f, n, m);       // 1024 found
    picked_by_lane<double, 3><<<1, 32>>>(d, d, n, m);        // 24 found
    picked_by_lane<double, 8><<<1, 32>>>(d, d, n, m);        // 64 found
    picked_by_lane<unsigned char, 8><<<1, 32>>>(c, c, n, m); // 8 found
    picked_by_lane<short, 8><<<1, 32>>>(h, h, n, m);         // 16 found
    stored<float, 4><<<1, 32>>>(f, f, n, m);                 // 0
    stored<float, 16><<<1, 32>>>(f, f, n, m);                // 0
    stored<float, 64><<<1, 32>>>(f, f, n, m);                // 0
    stored<float, 256><<<1, 32>>>(f, f, n, m);               // 1056
    stored<double, 3><<<1, 32>>>(d, d, n, m);                // 24 found
    stored<double, 8><<<1, 32>>>(d, d, n, m);                // 64 found
    stored<unsigned char, 8><<<1, 32>>>(c, c, n, m);         // 8 found
    stored<short, 8><<<1, 32>>>(h, h, n, m);                 // 16 found
    picked_four<float, 8><<<1, 32>>>(f, f, n, m);            // 0
    picked_four<float, 16><<<1, 32>>>(f, f, n, m);           // 64
    picked_four<float, 72><<<1, 32>>>(f, f, n, m);           // 288
    picked_four<float, 128><<<1, 32>>>(f, f, n, m);          // 512 found
    picked_four<int, 72><<<1, 32>>>(j, j, n, m);             // 288
    picked_four<double, 8><<<1, 32>>>(d, d, n, m);           // 64 found
    picked_eight<float, 6><<<1, 32>>>(f, f, n, m);           // 0
    picked_eight<float, 10><<<1, 32>>>(f, f, n, m);          // 0
    picked_eight<float, 16><<<1, 32>>>(f, f, n, m);          // 64
    picked_eight<float, 32><<<1, 32>>>(f, f, n, m);          // 128
    added<float, 3><<<1, 32>>>(f, f, n, m);                  // 0
    added<float, 8><<<1, 32>>>(f, f, n, m);                  // 32 found
    added<float, 10><<<1, 32>>>(f, f, n, m);                 // 40 found
    added<float, 16><<<1, 32>>>(f, f, n, m);                 // 64 found
    added<float, 48><<<1, 32>>>(f, f, n, m);                 // 192 found
    added<int, 16><<<1, 32>>>(j, j, n, m);                   // 64 found
    added<double, 3><<<1, 32>>>(d, d, n, m);                 // 24 found
    added<double, 8><<<1, 32>>>(d, d, n, m);                 // 64 found
    added<unsigned char, 8><<<1, 32>>>(c, c, n, m);          // 8 found
    read_by_data<float, 4><<<1, 32>>>(f, f, n, m);           // 0
    read_by_data<float, 8><<<1, 32>>>(f, f, n, m);           // 32
    read_by_data<float, 16><<<1, 32>>>(f, f, n, m);          // 64
    read_by_data<float, 48><<<1, 32>>>(f, f, n, m);          // 192 found
    read_by_data<double, 4><<<1, 32>>>(d, d, n, m);          // 32 found
    read_by_data<long long, 4><<<1, 32>>>(q, q, n, m);       // 32 found
    counted<float, 4><<<1, 32>>>(f, f, n, m);                // 0
    counted<float, 16><<<1, 32>>>(f, f, n, m);               // 0
    counted<float, 48><<<1, 32>>>(f, f, n, m);               // 192
    counted<double, 4><<<1, 32>>>(d, d, n, m);               // 32 found
    counted<double, 16><<<1, 32>>>(d, d, n, m);              // 128 found
    counted<unsigned char, 16><<<1, 32>>>(c, c, n, m);       // 16 found
    both_counted<float, 8><<<1, 32>>>(f, f, n, m);           // 0
    both_counted<float, 24><<<1, 32>>>(f, f, n, m);          // 0
    both_counted<float, 32><<<1, 32>>>(f, f, n, m);          // 0
    both_counted<float, 64><<<1, 32>>>(f, f, n, m);          // 256 found
    both_counted<double, 4><<<1, 32>>>(d, d, n, m);          // 32 found
    inserted<float, 4><<<1, 32>>>(f, f, n, m);               // 16
    inserted<float, 8><<<1, 32>>>(f, f, n, m);               // 32 found
    inserted<float, 32><<<1, 32>>>(f, f, n, m);              // 128 found
    inserted<double, 4><<<1, 32>>>(d, d, n, m);              // 32 found
    inserted<double, 8><<<1, 32>>>(d, d, n, m);              // 64 found
    packed<float, 4><<<1, 32>>>(f, f, n, m);                 // 0
    packed<float, 8><<<1, 32>>>(f, f, n, m);                 // 0
    packed<float, 32><<<1, 32>>>(f, f, n, m);                // 128
    packed<double, 4><<<1, 32>>>(d, d, n, m);                // 32 found
    packed<double, 8><<<1, 32>>>(d, d, n, m);                // 64 found
    least<float, 8><<<1, 32>>>(f, f, n, m);                  // 0
    least<float, 32><<<1, 32>>>(f, f, n, m);                 // 128
    least<double, 8><<<1, 32>>>(d, d, n, m);                 // 64 found
    in_turn<float, 4><<<1, 32>>>(f, f, n, m);                // 0
    in_turn<float, 8><<<1, 32>>>(f, f, n, m);                // 0
    in_turn<double, 4><<<1, 32>>>(d, d, n, m);               // 0
    in_turn<double, 8><<<1, 32>>>(d, d, n, m);               // 0
    ring<float, 8><<<1, 32>>>(f, f, n, m);                   // 0
    ring<double, 8><<<1, 32>>>(d, d, n, m);                  // 64 found
    history<float, 8><<<1, 32>>>(f, f, n, m);                // 40
    history<float, 12><<<1, 32>>>(f, f, n, m);               // 56 found
    history<float, 16><<<1, 32>>>(f, f, n, m);               // 72 found
    history<float, 32><<<1, 32>>>(f, f, n, m);               // 136 found
    shifted<float, 8><<<1, 32>>>(f, f, n, m);                // 0
    shifted<float, 16><<<1, 32>>>(f, f, n, m);               // 0
    shifted<float, 32><<<1, 32>>>(f, f, n, m);               // 0
    queue<float, 8><<<1, 32>>>(f, f, n, m);                  // 0
    queue<float, 12><<<1, 32>>>(f, f, n, m);                 // 48 found
    queue<float, 16><<<1, 32>>>(f, f, n, m);                 // 64 found
    exchanged<float, 8><<<1, 32>>>(f, f, n, m);              // 32 found
    exchanged<float, 12><<<1, 32>>>(f, f, n, m);             // 48 found
    exchanged<float, 16><<<1, 32>>>(f, f, n, m);             // 64 found
    history<double, 8><<<1, 32>>>(d, d, n, m);               // 72 found
    shifted<double, 8><<<1, 32>>>(d, d, n, m);               // 0
    walked<float, 16><<<1, 32>>>(f, f, n, m);                // 64
    walked<float, 32><<<1, 32>>>(f, f, n, m);                // 128
    walked<double, 4><<<1, 32>>>(d, d, n, m);                // 32 found
    squared<float, 4><<<1, 32>>>(f, f, n, m);                // 0
    squared<float, 8><<<1, 32>>>(f, f, n, m);                // 0
    squared<float, 24><<<1, 32>>>(f, f, n, m);               // 2672 found
    squared<float, 32><<<1, 32>>>(f, f, n, m);               // 4096 found
    squared<double, 4><<<1, 32>>>(d, d, n, m);               // 0
    squared<double, 8><<<1, 32>>>(d, d, n, m);               // 0
    sorted<float, 4><<<1, 32>>>(f, f, n, m);                 // 0
    sorted<float, 8><<<1, 32>>>(f, f, n, m);                 // 0
    sorted<float, 16><<<1, 32>>>(f, f, n, m);                // 0
    sorted<double, 4><<<1, 32>>>(d, d, n, m);                // 0
    sorted<double, 8><<<1, 32>>>(d, d, n, m);                // 0
    halved<float, 8><<<1, 32>>>(f, f, n, m);                 // 0
    halved<float, 16><<<1, 32>>>(f, f, n, m);                // 0
    halved<double, 8><<<1, 32>>>(d, d, n, m);                // 0
    long_loop<double, 8><<<1, 32>>>(d, d, n, m);             // 0
    long_loop<double, 16><<<1, 32>>>(d, d, n, m);            // 0
    long_loop<double, 32><<<1, 32>>>(d, d, n, m);            // 0
    long_loop<double, 300><<<1, 32>>>(d, d, n, m);           // 64
    long_loop<double, 512><<<1, 32>>>(d, d, n, m);           // 64
    asked_for<float, 16><<<1, 32>>>(f, f, n, m);             // 0
    asked_for<float, 64><<<1, 32>>>(f, f, n, m);             // 0
    asked_for<double, 16><<<1, 32>>>(d, d, n, m);            // 0
    asked_for<double, 64><<<1, 32>>>(d, d, n, m);            // 0
    kept<float, 8><<<1, 32>>>(f, f, n, m);                   // 0
    kept<float, 16><<<1, 32>>>(f, f, n, m);                  // 64
    kept<float, 64><<<1, 32>>>(f, f, n, m);                  // 256 found
    kept<double, 8><<<1, 32>>>(d, d, n, m);                  // 64 found
    large<float, 64><<<1, 32>>>(f, f, n, m);                 // 0
    large<float, 128><<<1, 32>>>(f, f, n, m);                // 0
    large<float, 512><<<1, 32>>>(f, f, n, m);                // 2048 found
    large<float, 1024><<<1, 32>>>(f, f, n, m);               // 4096 found
    summed_up<float, 4><<<1, 32>>>(f, f, n, m);              // 0
    summed_up<float, 5><<<1, 32>>>(f, f, n, m);              // 24
    summed_up<float, 6><<<1, 32>>>(f, f, n, m);              // 24 found
    summed_up<float, 7><<<1, 32>>>(f, f, n, m);              // 32 found
    summed_up<float, 8><<<1, 32>>>(f, f, n, m);              // 32 found
    summed_up<float, 9><<<1, 32>>>(f, f, n, m);              // 40 found
    summed_by_rest<float, 4><<<1, 32>>>(f, f, n, m);         // 0
    summed_by_rest<float, 5><<<1, 32>>>(f, f, n, m);         // 0
    summed_by_rest<float, 6><<<1, 32>>>(f, f, n, m);         // 24
    summed_by_rest<float, 7><<<1, 32>>>(f, f, n, m);         // 0
    summed_by_rest<float, 8><<<1, 32>>>(f, f, n, m);         // 32 found
    summed_by_rest<float, 9><<<1, 32>>>(f, f, n, m);         // 40 found
}
