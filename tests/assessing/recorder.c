/* Loaded before the C library: every write, cut, sync, rename and removal of a file below RECORDED_FOLDER is appended to
 * the file RECORDED_LOG, in the order in which the program did them. What a sync says is recorded after it is done. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <fcntl.h>
#include <unistd.h>

static pthread_mutex_t order = PTHREAD_MUTEX_INITIALIZER;
static int record = -1;
static const char *folder;

__attribute__((constructor)) static void begin(void) {
  const char *name = getenv("RECORDED_LOG");
  folder = getenv("RECORDED_FOLDER");
  if (name && folder) record = open(name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

static void append(const void *data, size_t length) {
  const char *at = data;
  while (length > 0) {
    long done = syscall(SYS_write, record, at, length);
    if (done <= 0) abort();
    at += done;
    length -= (size_t)done;
  }
}

static int is_recorded(const char *path) { return record >= 0 && strncmp(path, folder, strlen(folder)) == 0; }

static int path_of(int file, char *path) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, path, PATH_MAX - 1);
  if (length < 0) return 0;
  path[length] = 0;
  return is_recorded(path);
}

static void note(char kind, const char *path, long long number, const void *data, size_t length) {
  char head[PATH_MAX + 64];
  int size = snprintf(head, sizeof head, "%c\t%s\t%lld\t%zu\n", kind, path, number, length);
  append(head, (size_t)size);
  append(data, length);
}

#define REAL(name, type, ...) ((type(*)(__VA_ARGS__))dlsym(RTLD_NEXT, name))
#define RECORDING(file, call, kind, number, data, length)                        \
  char path[PATH_MAX];                                                           \
  if (record < 0 || file == record || !path_of(file, path)) return call;         \
  pthread_mutex_lock(&order);                                                    \
  __typeof__(call) done = call;                                                  \
  if (done >= 0) note(kind, path, (long long)(number), data, (size_t)(length));  \
  pthread_mutex_unlock(&order);                                                  \
  return done;

ssize_t pwrite64(int file, const void *data, size_t length, off64_t at) {
  RECORDING(file, REAL("pwrite64", ssize_t, int, const void *, size_t, off64_t)(file, data, length, at), 'w', at, data, done)
}
ssize_t pwrite(int file, const void *data, size_t length, off_t at) {
  RECORDING(file, REAL("pwrite", ssize_t, int, const void *, size_t, off_t)(file, data, length, at), 'w', at, data, done)
}
ssize_t write(int file, const void *data, size_t length) {
  off_t at = record < 0 ? 0 : lseek(file, 0, SEEK_CUR);
  RECORDING(file, REAL("write", ssize_t, int, const void *, size_t)(file, data, length), 'w', at, data, done)
}
int ftruncate64(int file, off64_t size) {
  RECORDING(file, REAL("ftruncate64", int, int, off64_t)(file, size), 't', size, "", 0)
}
int ftruncate(int file, off_t size) {
  RECORDING(file, REAL("ftruncate", int, int, off_t)(file, size), 't', size, "", 0)
}
int fsync(int file) { RECORDING(file, REAL("fsync", int, int)(file), 's', 0, "", 0) }
int fdatasync(int file) { RECORDING(file, REAL("fdatasync", int, int)(file), 's', 0, "", 0) }
int rename(const char *from, const char *to) {
  pthread_mutex_lock(&order);
  int done = REAL("rename", int, const char *, const char *)(from, to);
  if (done == 0 && is_recorded(from)) note('r', from, 0, to, strlen(to));
  pthread_mutex_unlock(&order);
  return done;
}
int unlink(const char *path) {
  pthread_mutex_lock(&order);
  int done = REAL("unlink", int, const char *)(path);
  if (done == 0 && is_recorded(path)) note('u', path, 0, "", 0);
  pthread_mutex_unlock(&order);
  return done;
}
