// A column sum for docs/advise.md: each thread walks along a row, so that neighbouring lanes are a row apart.
__global__ void rows(float *sums, const float *matrix, int width)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;
    for (int column = 0; column < 1024; ++column)
        sum += matrix[row * 1024 + column] * 0.5f;
    sums[row] = sum;
}

__global__ void scale(float *out, const float *in, float factor)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = factor * in[i];
}

void run(float *matrix, float *sums)
{
    rows<<<64, 128>>>(sums, matrix, 1024);
    scale<<<8192, 256>>>(matrix, matrix, 2.0f);
}
