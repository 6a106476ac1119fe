/* What Debian's libraries call and the glibc of GLIBC_FLOOR lacks. A library
 * that is linked for it has these as its own. */

#include <malloc.h>
#include <stdint.h>
#include <sys/random.h>
#include <sys/stat.h>

/* Since 2.32. Zero: other threads may run, so counters are atomic. */
char __libc_single_threaded = 0;

/* Since 2.36. */
uint32_t arc4random(void) {
  uint32_t bits;
  while (getrandom(&bits, sizeof(bits), 0) != sizeof(bits))
    ; /* A signal came first. */
  return bits;
}

/* Since 2.33; before, counts had 32 bits. */
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-declarations"
struct mallinfo2 mallinfo2(void) {
  struct mallinfo counts = mallinfo();
  return (struct mallinfo2){
      .arena = (unsigned)counts.arena,
      .ordblks = (unsigned)counts.ordblks,
      .smblks = (unsigned)counts.smblks,
      .hblks = (unsigned)counts.hblks,
      .hblkhd = (unsigned)counts.hblkhd,
      .usmblks = (unsigned)counts.usmblks,
      .fsmblks = (unsigned)counts.fsmblks,
      .uordblks = (unsigned)counts.uordblks,
      .fordblks = (unsigned)counts.fordblks,
      .keepcost = (unsigned)counts.keepcost,
  };
}
#pragma clang diagnostic pop

/* Functions since 2.33; before, programs called these with a version. */
enum { STAT_VERSION = 1, MKNOD_VERSION = 0 };
int __fxstat(int version, int file, struct stat *result);
int __lxstat(int version, const char *path, struct stat *result);
int __xstat(int version, const char *path, struct stat *result);
int __xmknod(int version, const char *path, mode_t mode, dev_t *device);

int fstat(int file, struct stat *result) {
  return __fxstat(STAT_VERSION, file, result);
}

int lstat(const char *path, struct stat *result) {
  return __lxstat(STAT_VERSION, path, result);
}

int stat(const char *path, struct stat *result) {
  return __xstat(STAT_VERSION, path, result);
}

int mknod(const char *path, mode_t mode, dev_t device) {
  return __xmknod(MKNOD_VERSION, path, mode, &device);
}

/* On x86-64, both structures are the same. */
int fstat64(int file, struct stat64 *result) {
  return fstat(file, (struct stat *)result);
}

int lstat64(const char *path, struct stat64 *result) {
  return lstat(path, (struct stat *)result);
}

int stat64(const char *path, struct stat64 *result) {
  return stat(path, (struct stat *)result);
}
