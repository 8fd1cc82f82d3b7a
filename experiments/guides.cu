// The experiments that texts on CUDA practice report, redone: one program that prints a JSON object with a list
// of [label, milliseconds, gigabytes that the kernel asks for] for each of them.
//
//     nvcc -O3 -std=c++17 -arch=native -o guides guides.cu && ./guides > guides.json
#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

constexpr int million = 1 << 20;
constexpr int elements = 32 * million;
constexpr int rounds = 21;
constexpr int used = 8 * million;     // elements of the strided copy
constexpr int triple = 16 * million;  // records of three floats
constexpr int width = 16384;          // of the matrices that are added
constexpr int count = 128 * million;  // elements of the reductions
constexpr long long bytes = 64LL * million;  // of the copies

static void check(cudaError_t status)
{
    if (status != cudaSuccess) {
        std::fprintf(stderr, "%s\n", cudaGetErrorString(status));
        std::exit(1);
    }
}

static const char *comma = "";

static void begin(const char *name)
{
    std::printf("%s\"%s\": [", comma, name);
    comma = "";
}

static void end()
{
    std::printf("]");
    comma = ",\n";
}

static void say(const std::string &label, double ms, double bytes)
{
    std::printf("%s[\"%s\", %.6f, %.6f]", comma, label.c_str(), ms, bytes / 1e9);
    comma = ", ";
}

// The median of some runs, by events.
static double events(const std::function<void()> &run)
{
    cudaEvent_t start, stop;
    check(cudaEventCreate(&start));
    check(cudaEventCreate(&stop));
    std::vector<float> times;
    for (int k = -2; k < rounds; ++k) {
        check(cudaEventRecord(start));
        run();
        check(cudaEventRecord(stop));
        check(cudaEventSynchronize(stop));
        float ms;
        check(cudaEventElapsedTime(&ms, start, stop));
        if (k >= 0) {
            times.push_back(ms);
        }
    }
    check(cudaGetLastError());
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
}

// The median of some runs, by the clock on the wall.
static double wall(const std::function<void()> &run)
{
    std::vector<double> times;
    for (int k = -2; k < rounds; ++k) {
        check(cudaDeviceSynchronize());
        const auto start = std::chrono::steady_clock::now();
        run();
        check(cudaDeviceSynchronize());
        const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
        if (k >= 0) {
            times.push_back(took.count());
        }
    }
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
}

static float *device(long long count)
{
    float *p;
    check(cudaMalloc(&p, count * sizeof(float)));
    check(cudaMemset(p, 0, count * sizeof(float)));
    return p;
}

// --- bandwidth against offset and stride ---

__global__ void shifted(float *out, const float *in, int offset)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x + offset;
    out[i] = in[i] + 1.0f;
}

__global__ void strided(float *out, const float *in, int stride)
{
    int i = (blockIdx.x * blockDim.x + threadIdx.x) * stride;
    out[i] = in[i] + 1.0f;
}

static void offsets()
{
    float *in = device(elements + 64), *out = device(elements + 64);
    begin("offset");
    for (int offset = 0; offset <= 32; ++offset) {
        const double ms = events([=] { shifted<<<elements / 256, 256>>>(out, in, offset); });
        say(std::to_string(offset), ms, 8.0 * elements);
    }
    end();
    check(cudaFree(in));
    check(cudaFree(out));
}

static void strides()
{
    float *in = device(32LL * used), *out = device(32LL * used);
    begin("stride");
    for (int stride = 1; stride <= 32; ++stride) {
        const double ms = events([=] { strided<<<used / 256, 256>>>(out, in, stride); });
        say(std::to_string(stride), ms, 8.0 * used);
    }
    end();
    check(cudaFree(in));
    check(cudaFree(out));
}

// --- a product with a narrow matrix: c (n x n) = a (n x tile) * b (tile x n) ---

constexpr int tile = 32;
constexpr int n = 4096;
static const dim3 tiles(n / tile, n / tile), threads(tile, tile);

__global__ void product(float *c, const float *a, const float *b)
{
    int row = blockIdx.y * tile + threadIdx.y, column = blockIdx.x * tile + threadIdx.x;
    float sum = 0.0f;
    for (int k = 0; k < tile; ++k) {
        sum += a[row * tile + k] * b[k * n + column];
    }
    c[row * n + column] = sum;
}

__global__ void product_tile_of_a(float *c, const float *a, const float *b)
{
    __shared__ float as[tile][tile];
    int row = blockIdx.y * tile + threadIdx.y, column = blockIdx.x * tile + threadIdx.x;
    as[threadIdx.y][threadIdx.x] = a[row * tile + threadIdx.x];
    __syncwarp();
    float sum = 0.0f;
    for (int k = 0; k < tile; ++k) {
        sum += as[threadIdx.y][k] * b[k * n + column];
    }
    c[row * n + column] = sum;
}

__global__ void product_both_tiles(float *c, const float *a, const float *b)
{
    __shared__ float as[tile][tile], bs[tile][tile];
    int row = blockIdx.y * tile + threadIdx.y, column = blockIdx.x * tile + threadIdx.x;
    as[threadIdx.y][threadIdx.x] = a[row * tile + threadIdx.x];
    bs[threadIdx.y][threadIdx.x] = b[threadIdx.y * n + column];
    __syncthreads();
    float sum = 0.0f;
    for (int k = 0; k < tile; ++k) {
        sum += as[threadIdx.y][k] * bs[k][threadIdx.x];
    }
    c[row * n + column] = sum;
}

// --- the product of a matrix with its own transpose ---

__global__ void square(float *c, const float *a)
{
    int row = blockIdx.y * tile + threadIdx.y, column = blockIdx.x * tile + threadIdx.x;
    float sum = 0.0f;
    for (int k = 0; k < tile; ++k) {
        sum += a[row * tile + k] * a[column * tile + k];
    }
    c[row * n + column] = sum;
}

template <int pitch> __global__ void square_by_tiles(float *c, const float *a)
{
    __shared__ float as[tile][tile], ts[tile][pitch];
    int row = blockIdx.y * tile + threadIdx.y, column = blockIdx.x * tile + threadIdx.x;
    as[threadIdx.y][threadIdx.x] = a[row * tile + threadIdx.x];
    ts[threadIdx.x][threadIdx.y] = a[(blockIdx.x * tile + threadIdx.y) * tile + threadIdx.x];
    __syncthreads();
    float sum = 0.0f;
    for (int k = 0; k < tile; ++k) {
        sum += as[threadIdx.y][k] * ts[k][threadIdx.x];
    }
    c[row * n + column] = sum;
}

static void products()
{
    float *a = device(n * tile), *b = device(n * tile), *c = device((long long)n * n);
    const double asked = 4.0 * (2.0 * n * tile + (double)n * n);
    begin("product");
    say("no tile", events([=] { product<<<tiles, threads>>>(c, a, b); }), asked);
    say("tile of A", events([=] { product_tile_of_a<<<tiles, threads>>>(c, a, b); }), asked);
    say("both tiles", events([=] { product_both_tiles<<<tiles, threads>>>(c, a, b); }), asked);
    end();
    begin("transpose");
    say("no tile", events([=] { square<<<tiles, threads>>>(c, a); }), asked);
    say("transposed tile", events([=] { square_by_tiles<tile><<<tiles, threads>>>(c, a); }), asked);
    say("padded tile", events([=] { square_by_tiles<tile + 1><<<tiles, threads>>>(c, a); }), asked);
    end();
    check(cudaFree(a));
    check(cudaFree(b));
    check(cudaFree(c));
}

// --- records of three floats ---

__global__ void records(float3 *out, const float3 *in)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float3 v = in[i];
    out[i] = make_float3(v.x + 2.0f, v.y + 2.0f, v.z + 2.0f);
}

__global__ void arrays(float *out, const float *in)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < 3; ++k) {
        out[k * triple + i] = in[k * triple + i] + 2.0f;
    }
}

__global__ void staged(float *out, const float *in)
{
    __shared__ float words[3 * 256];
    int first = blockIdx.x * 3 * 256;
    for (int k = threadIdx.x; k < 3 * 256; k += 256) {
        words[k] = in[first + k];
    }
    __syncthreads();
    for (int k = 0; k < 3; ++k) {
        words[3 * threadIdx.x + k] += 2.0f;
    }
    __syncthreads();
    for (int k = threadIdx.x; k < 3 * 256; k += 256) {
        out[first + k] = words[k];
    }
}

static void triples()
{
    float *in = device(3LL * triple), *out = device(3LL * triple);
    begin("float3");
    float3 *to = (float3 *)out;
    const float3 *from = (const float3 *)in;
    say("records", events([=] { records<<<triple / 256, 256>>>(to, from); }), 24.0 * triple);
    say("staged", events([=] { staged<<<triple / 256, 256>>>(out, in); }), 24.0 * triple);
    say("arrays", events([=] { arrays<<<triple / 256, 256>>>(out, in); }), 24.0 * triple);
    end();
    check(cudaFree(in));
    check(cudaFree(out));
}

// --- the sum of two matrices in blocks of several shapes, and of two vectors in blocks of several sizes ---

__global__ void sum_of_matrices(float *c, const float *a, const float *b)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    c[y * width + x] = a[y * width + x] + b[y * width + x];
}

__global__ void sum_of_vectors(float *c, const float *a, const float *b)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    c[i] = a[i] + b[i];
}

static void sums()
{
    float *a = device((long long)width * width), *b = device((long long)width * width);
    float *c = device((long long)width * width);
    begin("block shape");
    const int shapes[][2] = {{32, 32}, {32, 16}, {16, 32}, {16, 16}};
    for (const auto &shape : shapes) {
        const dim3 block(shape[0], shape[1]), grid(width / block.x, width / block.y);
        const double ms = events([=] { sum_of_matrices<<<grid, block>>>(c, a, b); });
        say(std::to_string(shape[0]) + "x" + std::to_string(shape[1]), ms, 12.0 * width * width);
    }
    end();
    begin("block size");
    for (int block = 32; block <= 1024; block *= 2) {
        const double ms = events([=] { sum_of_vectors<<<width / block * width, block>>>(c, a, b); });
        say(std::to_string(block), ms, 12.0 * width * width);
    }
    end();
    check(cudaFree(a));
    check(cudaFree(b));
    check(cudaFree(c));
}

// --- sums of the elements of each block ---

__global__ void neighboured(float *out, const float *in)
{
    __shared__ float s[512];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * 512 + t];
    __syncthreads();
    for (int stride = 1; stride < 512; stride *= 2) {
        if (t % (2 * stride) == 0) {
            s[t] += s[t + stride];
        }
        __syncthreads();
    }
    if (t == 0) {
        out[blockIdx.x] = s[0];
    }
}

// The sum of a block's 512 elements, by lanes side by side.
__device__ void add_up(float *out, float *s)
{
    int t = threadIdx.x;
    __syncthreads();
    for (int stride = 256; stride > 0; stride /= 2) {
        if (t < stride) {
            s[t] += s[t + stride];
        }
        __syncthreads();
    }
    if (t == 0) {
        out[blockIdx.x] = s[0];
    }
}

__global__ void interleaved(float *out, const float *in)
{
    __shared__ float s[512];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * 512 + t];
    add_up(out, s);
}

__global__ void unrolled(float *out, const float *in)
{
    __shared__ float s[512];
    int t = threadIdx.x, i = blockIdx.x * 2048 + t;
    s[t] = in[i] + in[i + 512] + in[i + 1024] + in[i + 1536];
    add_up(out, s);
}

__global__ void shuffled(float *out, const float *in)
{
    __shared__ float s[16];
    int t = threadIdx.x, i = blockIdx.x * 2048 + t;
    float sum = in[i] + in[i + 512] + in[i + 1024] + in[i + 1536];
    for (int distance = 16; distance > 0; distance /= 2) {
        sum += __shfl_down_sync(0xffffffff, sum, distance);
    }
    if (t % 32 == 0) {
        s[t / 32] = sum;
    }
    __syncthreads();
    if (t < 16) {
        sum = s[t];
        for (int distance = 8; distance > 0; distance /= 2) {
            sum += __shfl_down_sync(0xffff, sum, distance);
        }
        if (t == 0) {
            out[blockIdx.x] = sum;
        }
    }
}

static void reductions()
{
    float *in = device(count), *out = device(count / 512);
    begin("reduction");
    say("neighboured", events([=] { neighboured<<<count / 512, 512>>>(out, in); }), 4.0 * count);
    say("interleaved", events([=] { interleaved<<<count / 512, 512>>>(out, in); }), 4.0 * count);
    say("unrolled", events([=] { unrolled<<<count / 2048, 512>>>(out, in); }), 4.0 * count);
    say("shuffle", events([=] { shuffled<<<count / 2048, 512>>>(out, in); }), 4.0 * count);
    end();
    check(cudaFree(in));
    check(cudaFree(out));
}

// --- copies, and copies beside kernels ---

__global__ void some_work(float *data)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = data[i];
    for (int k = 0; k < 512; ++k) {
        x = x * 0.999f + 0.001f;
    }
    data[i] = x;
}

static void copies()
{
    float *on_device = device(bytes / 4), *pinned;
    void *pageable = std::malloc(bytes);
    std::fill((char *)pageable, (char *)pageable + bytes, 1);
    check(cudaMallocHost(&pinned, bytes));
    begin("host memory");
    say("pageable", wall([=] { cudaMemcpy(on_device, pageable, bytes, cudaMemcpyHostToDevice); }), bytes);
    say("pinned", wall([=] { cudaMemcpy(on_device, pinned, bytes, cudaMemcpyHostToDevice); }), bytes);
    end();
    begin("streams");
    constexpr int words = bytes / 4;
    say("blocking", wall([=] {
            cudaMemcpy(on_device, pinned, bytes, cudaMemcpyHostToDevice);
            some_work<<<words / 256, 256>>>(on_device);
            cudaMemcpy(pinned, on_device, bytes, cudaMemcpyDeviceToHost);
        }), 2.0 * bytes);
    for (int parts = 2; parts <= 8; parts *= 2) {
        std::vector<cudaStream_t> streams(parts);
        for (auto &stream : streams) {
            check(cudaStreamCreate(&stream));
        }
        const int each = words / parts;
        say(std::to_string(parts), wall([=] {
                for (int k = 0; k < parts; ++k) {
                    float *d = on_device + k * each, *h = pinned + k * each;
                    cudaMemcpyAsync(d, h, each * 4LL, cudaMemcpyHostToDevice, streams[k]);
                    some_work<<<each / 256, 256, 0, streams[k]>>>(d);
                    cudaMemcpyAsync(h, d, each * 4LL, cudaMemcpyDeviceToHost, streams[k]);
                }
            }), 2.0 * bytes);
    }
    end();
    check(cudaFree(on_device));
    check(cudaFreeHost(pinned));
    std::free(pageable);
}

// --- arithmetic and branches ---

template <class T> __global__ void polynomial(float *out, const float *in, T factor)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = in[i];
    for (int k = 0; k < 64; ++k) {
        x = x * factor + T(0.5);
    }
    out[i] = x;
}

__global__ void paths(float *out, const float *in, int ways)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = in[i];
    const int way = threadIdx.x % 32 % ways;
    for (int each = 0; each < ways; ++each) {
        if (way == each) {
            for (int k = 0; k < 64; ++k) {
                x = x * 0.999f + (float)each;
            }
        }
    }
    out[i] = x;
}

static void arithmetic()
{
    float *in = device(elements), *out = device(elements);
    begin("double literal");
    constexpr double asked = 8.0 * elements;
    say("double", events([=] { polynomial<double><<<elements / 256, 256>>>(out, in, 0.999); }), asked);
    say("float", events([=] { polynomial<float><<<elements / 256, 256>>>(out, in, 0.999f); }), asked);
    end();
    begin("paths");
    for (int ways = 1; ways <= 32; ways *= 2) {
        const double ms = events([=] { paths<<<elements / 256, 256>>>(out, in, ways); });
        say(std::to_string(ways), ms, 8.0 * elements);
    }
    end();
    check(cudaFree(in));
    check(cudaFree(out));
}

int main()
{
    cudaDeviceProp told;
    check(cudaGetDeviceProperties(&told, 0));
    std::printf("{\"device\": \"%s\",\n", told.name);
    offsets();
    strides();
    products();
    triples();
    sums();
    reductions();
    copies();
    arithmetic();
    std::printf("}\n");
    return 0;
}
