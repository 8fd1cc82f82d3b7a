// What pinned memory saves where a buffer is copied once: seconds of allocation, filling, one copy to the device
// (or one copy back and reading) and release, with malloc and with cudaMallocHost. Prints JSON rows
// [direction, MiB, pageable ms of the copy, pinned ms of the copy, pageable ms in all, pinned ms in all].
// nvcc -O3 -arch=sm_90 pinning_once.cu -o pinning_once && ./pinning_once
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

static double now()
{
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

static volatile double sink;

static void once(bool pinned, bool down, size_t bytes, void *device, double &copy, double &all)
{
    double start = now();
    float *host;
    if (pinned) cudaMallocHost(&host, bytes);
    else host = (float *)malloc(bytes);
    if (!down)
        for (size_t i = 0; i < bytes / 4; i++) host[i] = (float)i;
    double before = now();
    cudaMemcpy(down ? (void *)host : device, down ? device : (void *)host, bytes,
               down ? cudaMemcpyDeviceToHost : cudaMemcpyHostToDevice);
    copy = now() - before;
    if (down) {
        double sum = 0;
        for (size_t i = 0; i < bytes / 4; i++) sum += host[i];
        sink = sum;
    }
    if (pinned) cudaFreeHost(host);
    else free(host);
    all = now() - start;
}

int main()
{
    cudaFree(0);
    bool first = true;
    printf("{\"rows\": [\n");
    for (size_t mib : {64, 256, 1024}) {
        void *device;
        cudaMalloc(&device, mib << 20);
        cudaMemset(device, 0, mib << 20);
        for (int down = 0; down < 2; down++) {
            std::vector<double> copies[2], alls[2];
            for (int turn = 0; turn < 7; turn++)
                for (int pinned = 0; pinned < 2; pinned++) {
                    double copy, all;
                    once(pinned, down, mib << 20, device, copy, all);
                    copies[pinned].push_back(copy);
                    alls[pinned].push_back(all);
                }
            double m[4];
            int k = 0;
            for (auto *v : {copies, alls})
                for (int p = 0; p < 2; p++) {
                    std::sort(v[p].begin(), v[p].end());
                    m[k++] = v[p][3];
                }
            printf("%s[\"%s\", %zu, %.2f, %.2f, %.2f, %.2f]", first ? "" : ",\n", down ? "DtoH" : "HtoD", mib, m[0], m[1],
                   m[2], m[3]);
            first = false;
        }
        cudaFree(device);
    }
    printf("\n]}\n");
}
