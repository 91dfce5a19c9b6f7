/*
 * Loaded into the service with LD_PRELOAD: appends to one file, in order, every change that the process makes to the
 * files directly in a folder, and every flush. The client of the test appends what it receives to the same file.
 *
 * A change is recorded after it was made, the start of a flush before it, its end after it. So a flush never seems to
 * cover more than it did, or to end earlier. O_APPEND makes each record one atomic append, so their order in the file is
 * an order in which the events can have happened, across threads and processes.
 *
 * POWER_CUT_FOLDER: the folder. POWER_CUT_RECORDING: the file. POWER_CUT_FLUSH_US: how long each flush takes.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

enum kind { OPEN = 1, WRITE, TRUNCATE, FLUSH, FLUSHED, UNLINK, RENAME, LINK };

/* recording.ts reads this layout. */
struct head {
  uint32_t size; /* bytes after the head */
  uint32_t kind;
  int32_t fd;
  uint32_t flush; /* which FLUSHED belongs to which FLUSH */
  int64_t at; /* place of a write, or the new size */
};

#define MAX_FD 65536
static atomic_char tracked[MAX_FD];
static atomic_uint flushes;
static int log_fd = -1;
static useconds_t flush_us;
static char folder[4096];
static size_t folder_length;

#define REAL(result, name, ...) \
  static result (*real)(__VA_ARGS__); \
  if (!real) real = (result(*)(__VA_ARGS__))dlsym(RTLD_NEXT, name)

static void append(enum kind kind, int fd, uint32_t flush, int64_t at, const void *bytes, size_t size) {
  REAL(ssize_t, "writev", int, const struct iovec *, int);
  int saved = errno;
  struct head head = {(uint32_t)size, kind, fd, flush, at};
  struct iovec parts[2] = {{&head, sizeof head}, {(void *)bytes, size}};
  if (real(log_fd, parts, 2) != (ssize_t)(sizeof head + size)) abort();
  errno = saved;
}

__attribute__((constructor)) static void start(void) {
  const char *given = getenv("POWER_CUT_FOLDER"), *file = getenv("POWER_CUT_RECORDING"), *us = getenv("POWER_CUT_FLUSH_US");
  if (!given || !file || strlen(given) >= sizeof folder) abort();
  strcpy(folder, given);
  folder_length = strlen(folder);
  flush_us = us ? (useconds_t)atoi(us) : 0;
  REAL(int, "open64", const char *, int, ...);
  log_fd = real(file, O_WRONLY | O_APPEND | O_CLOEXEC);
  if (log_fd < 0) abort();
  /* The processes that this one starts have file numbers of their own. */
  unsetenv("LD_PRELOAD");
}

/* The name of a file directly in the folder; "" for the folder itself, NULL for anything that is not recorded. */
static const char *name_of(const char *path) {
  if (log_fd < 0 || !path || strncmp(path, folder, folder_length) != 0) return NULL;
  const char *name = path + folder_length;
  if (*name == '\0') return name;
  if (*name != '/' || strchr(name + 1, '/')) return NULL;
  size_t length = strlen(name);
  /* The index of the WAL is made again after a power cut; nothing is stored in the lock. */
  if (length > 4 && strcmp(name + length - 4, "-shm") == 0) return NULL;
  return strncmp(name, "/service.lock", 13) == 0 ? NULL : name + 1;
}

static int is_tracked(int fd) { return fd >= 0 && fd < MAX_FD && tracked[fd]; }

static int opened(int fd, const char *path, int flags) {
  const char *name = name_of(path);
  if (fd < 0 || fd >= MAX_FD) return fd;
  tracked[fd] = name != NULL;
  if (!name) return fd;
  append(OPEN, fd, 0, 0, name, strlen(name));
  if (flags & O_TRUNC) append(TRUNCATE, fd, 0, 0, NULL, 0);
  return fd;
}

#define MODE(flags, mode) \
  mode_t mode = 0; \
  if (flags & O_CREAT) { va_list list; va_start(list, flags); mode = va_arg(list, mode_t); va_end(list); }

int open64(const char *path, int flags, ...) {
  REAL(int, "open64", const char *, int, ...);
  MODE(flags, mode)
  return opened(real(path, flags, mode), path, flags);
}
int open(const char *path, int flags, ...) {
  REAL(int, "open", const char *, int, ...);
  MODE(flags, mode)
  return opened(real(path, flags, mode), path, flags);
}
int openat64(int at, const char *path, int flags, ...) {
  REAL(int, "openat64", int, const char *, int, ...);
  MODE(flags, mode)
  return opened(real(at, path, flags, mode), path, flags);
}
int openat(int at, const char *path, int flags, ...) {
  REAL(int, "openat", int, const char *, int, ...);
  MODE(flags, mode)
  return opened(real(at, path, flags, mode), path, flags);
}

int close(int fd) {
  REAL(int, "close", int);
  if (fd == log_fd) { errno = EBADF; return -1; }
  if (is_tracked(fd)) tracked[fd] = 0;
  return real(fd);
}

static ssize_t wrote(int fd, const void *bytes, ssize_t size, off_t at) {
  if (size > 0) append(WRITE, fd, 0, at, bytes, (size_t)size);
  return size;
}
ssize_t pwrite64(int fd, const void *bytes, size_t size, off64_t at) {
  REAL(ssize_t, "pwrite64", int, const void *, size_t, off64_t);
  ssize_t done = real(fd, bytes, size, at);
  return is_tracked(fd) ? wrote(fd, bytes, done, at) : done;
}
ssize_t pwrite(int fd, const void *bytes, size_t size, off_t at) { return pwrite64(fd, bytes, size, at); }
ssize_t write(int fd, const void *bytes, size_t size) {
  REAL(ssize_t, "write", int, const void *, size_t);
  ssize_t done = real(fd, bytes, size);
  return is_tracked(fd) && done > 0 ? wrote(fd, bytes, done, lseek(fd, 0, SEEK_CUR) - done) : done;
}

int ftruncate64(int fd, off64_t size) {
  REAL(int, "ftruncate64", int, off64_t);
  int failed = real(fd, size);
  if (!failed && is_tracked(fd)) append(TRUNCATE, fd, 0, size, NULL, 0);
  return failed;
}
int ftruncate(int fd, off_t size) { return ftruncate64(fd, size); }

static int flushed(int fd, int (*real)(int)) {
  if (!is_tracked(fd)) return real(fd);
  uint32_t flush = atomic_fetch_add(&flushes, 1);
  append(FLUSH, fd, flush, 0, NULL, 0);
  int failed = real(fd);
  /* A slow disk: an answer that does not wait for the end of the flush is recorded before it. */
  usleep(flush_us);
  if (!failed) append(FLUSHED, fd, flush, 0, NULL, 0);
  return failed;
}
int fsync(int fd) {
  REAL(int, "fsync", int);
  return flushed(fd, real);
}
int fdatasync(int fd) {
  REAL(int, "fdatasync", int);
  return flushed(fd, real);
}

static int unlinked(int failed, const char *path) {
  const char *name = name_of(path);
  if (!failed && name) append(UNLINK, -1, 0, 0, name, strlen(name));
  return failed;
}
int unlink(const char *path) {
  REAL(int, "unlink", const char *);
  return unlinked(real(path), path);
}
int unlinkat(int at, const char *path, int flags) {
  REAL(int, "unlinkat", int, const char *, int);
  return unlinked(real(at, path, flags), path);
}
int remove(const char *path) {
  REAL(int, "remove", const char *);
  return unlinked(real(path), path);
}
static void renamed(enum kind kind, const char *from, const char *to) {
  const char *old = name_of(from), *new = name_of(to);
  if (!old && !new) return;
  char both[512] = "";
  size_t length = old ? strlen(old) : 0;
  if (length + 1 + (new ? strlen(new) : 0) >= sizeof both) abort();
  memcpy(both, old ? old : "", length);
  strcpy(both + length + 1, new ? new : "");
  append(kind, -1, 0, 0, both, length + 1 + strlen(both + length + 1));
}
int rename(const char *from, const char *to) {
  REAL(int, "rename", const char *, const char *);
  int failed = real(from, to);
  if (!failed) renamed(RENAME, from, to);
  return failed;
}
int link(const char *from, const char *to) {
  REAL(int, "link", const char *, const char *);
  int failed = real(from, to);
  if (!failed) renamed(LINK, from, to);
  return failed;
}
