// Google's test and benchmark macros: a test is a function, an expectation evaluates its arguments.
#pragma once
#pragma clang system_header
#include <cmath>
#include <initializer_list>
#include <string>
#include <tuple>
#include <vector>
#include "sink.h"
namespace testing {
struct Message : __cudalint_sink {};
struct AssertionResult : __cudalint_sink {
  AssertionResult(bool);
  AssertionResult(const __cudalint_sink &);
  template <class T> AssertionResult &operator<<(const T &);
  operator bool() const;
};
AssertionResult AssertionSuccess();
AssertionResult AssertionFailure();
struct Test {
  virtual ~Test();
  virtual void SetUp() {}
  virtual void TearDown() {}
  static bool HasFailure();
};
template <class T> struct WithParamInterface {
  typedef T ParamType;
  static const T &GetParam();
};
template <class T> struct TestWithParam : Test, WithParamInterface<T> {};
template <class T> struct TestParamInfo { T param; size_t index; };
template <class... T> struct Types {};
template <class... T> int Values(const T &...);
template <class T> int ValuesIn(const T &);
template <class... T> int Combine(const T &...);
template <class T> int Range(T, T);
int Bool();
void InitGoogleTest(int *, char **);
struct Environment { virtual ~Environment(); };
}
#define TEST(suite, name) static void suite##_##name##_test()
#define CUDALINT_TEST_IN(fixture, base, name) \
  struct fixture##_##name##_test : base { void TestBody(); }; \
  inline void fixture##_##name##_test::TestBody()
#define TEST_F(fixture, name) CUDALINT_TEST_IN(fixture, fixture, name)
#define TEST_P(fixture, name) CUDALINT_TEST_IN(fixture, fixture, name)
#define TYPED_TEST_SUITE(fixture, ...) typedef int fixture##_suite
#define TYPED_TEST_SUITE_P(fixture) typedef int fixture##_suite
#define TYPED_TEST_CASE(fixture, ...) typedef int fixture##_suite
#define TYPED_TEST(fixture, name) \
  template <class TypeParam> struct fixture##_##name##_test : fixture<TypeParam> { void TestBody(); }; \
  template <class TypeParam> void fixture##_##name##_test<TypeParam>::TestBody()
#define TYPED_TEST_P(fixture, name) TYPED_TEST(fixture, name)
#define REGISTER_TYPED_TEST_SUITE_P(fixture, ...) typedef int fixture##_registered
#define INSTANTIATE_TYPED_TEST_SUITE_P(prefix, fixture, ...) typedef int prefix##fixture##_types
#define INSTANTIATE_TEST_SUITE_P(prefix, fixture, ...) typedef int prefix##fixture##_values
#define INSTANTIATE_TEST_CASE_P(prefix, fixture, ...) typedef int prefix##fixture##_values
#define GTEST_SKIP() return __cudalint_end() = __cudalint_sink()
#define SCOPED_TRACE(...) (void)0
#define RUN_ALL_TESTS() 0
#define FAIL() __cudalint_sink()
#define ADD_FAILURE() __cudalint_sink()
#define SUCCEED() __cudalint_sink()
#define EXPECT_TRUE(...) CUDALINT_EXPECTED(bool(__VA_ARGS__))
#define EXPECT_FALSE(...) CUDALINT_EXPECTED(bool(__VA_ARGS__))
#define EXPECT_EQ(a, ...) CUDALINT_EXPECTED((a) == (__VA_ARGS__))
#define EXPECT_NE(a, ...) CUDALINT_EXPECTED((a) != (__VA_ARGS__))
#define EXPECT_LT(a, ...) CUDALINT_EXPECTED((a) < (__VA_ARGS__))
#define EXPECT_LE(a, ...) CUDALINT_EXPECTED((a) <= (__VA_ARGS__))
#define EXPECT_GT(a, ...) CUDALINT_EXPECTED((a) > (__VA_ARGS__))
#define EXPECT_GE(a, ...) CUDALINT_EXPECTED((a) >= (__VA_ARGS__))
#define EXPECT_FLOAT_EQ(a, b) EXPECT_EQ(a, b)
#define EXPECT_DOUBLE_EQ(a, b) EXPECT_EQ(a, b)
#define EXPECT_STREQ(a, b) EXPECT_EQ(a, b)
#define EXPECT_NEAR(a, b, tolerance) CUDALINT_EXPECTED((a) - (b) < (tolerance))
#define EXPECT_THROW(statement, type) CUDALINT_EXPECTED(0)
#define EXPECT_NO_THROW(statement) do { statement; } while (0)
#define ASSERT_TRUE(...) EXPECT_TRUE(__VA_ARGS__)
#define ASSERT_FALSE(...) EXPECT_FALSE(__VA_ARGS__)
#define ASSERT_EQ(a, ...) EXPECT_EQ(a, __VA_ARGS__)
#define ASSERT_NE(a, ...) EXPECT_NE(a, __VA_ARGS__)
#define ASSERT_LT(a, ...) EXPECT_LT(a, __VA_ARGS__)
#define ASSERT_LE(a, ...) EXPECT_LE(a, __VA_ARGS__)
#define ASSERT_GT(a, ...) EXPECT_GT(a, __VA_ARGS__)
#define ASSERT_GE(a, ...) EXPECT_GE(a, __VA_ARGS__)
#define ASSERT_FLOAT_EQ(a, b) EXPECT_EQ(a, b)
#define ASSERT_DOUBLE_EQ(a, b) EXPECT_EQ(a, b)
#define ASSERT_STREQ(a, b) EXPECT_EQ(a, b)
#define ASSERT_NEAR(a, b, tolerance) EXPECT_NEAR(a, b, tolerance)
#define ASSERT_THROW(statement, type) EXPECT_THROW(statement, type)
#define ASSERT_NO_THROW(statement) EXPECT_NO_THROW(statement)
#define ASSERT_NO_FATAL_FAILURE(statement) EXPECT_NO_THROW(statement)
namespace benchmark {
enum TimeUnit { kNanosecond, kMicrosecond, kMillisecond, kSecond };
struct Counter {
  enum Flags { kDefaults, kIsRate, kAvgThreads, kIsIterationInvariant, kIsIterationInvariantRate, kInvert };
  Counter(double = 0, int = kDefaults, int = 1000);
  operator double() const;
};
struct State {
  struct counter_map { Counter &operator[](const std::string &); template <class T> void insert(const T &); void insert(std::initializer_list<std::pair<std::string, Counter>>); } counters;
  void SetLabel(const std::string &);
  void SkipWithError(const std::string &);
  std::string name() const;
  bool KeepRunning();
  int64_t range(size_t = 0) const;
  int64_t iterations() const;
  void SetBytesProcessed(int64_t);
  void SetItemsProcessed(int64_t);
  void SetIterationTime(double);
  void PauseTiming();
  void ResumeTiming();
  int *begin();
  int *end();
};
template <class T> void DoNotOptimize(T &&);
void ClobberMemory();
namespace internal {
struct Benchmark {
  template <class... A> Benchmark *Args(A &&...);
  Benchmark *Arg(int64_t);
  Benchmark *Range(int64_t, int64_t);
  Benchmark *RangeMultiplier(int);
  Benchmark *Unit(TimeUnit);
  Benchmark *UseManualTime();
  Benchmark *UseRealTime();
  Benchmark *Iterations(int64_t);
  Benchmark *MinTime(double);
};
template <class T> Benchmark *RegisterBenchmarkInternal(T &&);
}
class Fixture {
public:
  virtual ~Fixture();
  virtual void SetUp(const State &);
  virtual void SetUp(State &);
  virtual void TearDown(const State &);
  virtual void TearDown(State &);
  void SetName(const char *);
protected:
  virtual void BenchmarkCase(State &) = 0;
};
#define CUDALINT_PRIVATE_JOINED(n, l) benchmark_private_##n##_##l
#define CUDALINT_PRIVATE_NAME(n, l) CUDALINT_PRIVATE_JOINED(n, l)
#define BENCHMARK_PRIVATE_NAME(n) CUDALINT_PRIVATE_NAME(n, __LINE__)
#define BENCHMARK(...) static ::benchmark::internal::Benchmark *CUDALINT_BENCHMARK_NAME(__LINE__) = ::benchmark::internal::RegisterBenchmarkInternal(0)
#define BENCHMARK_MAIN() int main()
#define CUDALINT_BENCHMARK_JOINED(l) cudalint_benchmark_##l
#define CUDALINT_BENCHMARK_NAME(l) CUDALINT_BENCHMARK_JOINED(l)
template <class... A> internal::Benchmark *RegisterBenchmark(A &&...);
}
