/* Loaded before the C library: writes a byte to PETSTORE_SYNCS at each sync, which then waits while the file PETSTORE_HOLD exists. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

static int sync_later(const char *name, int file) {
  int syncs = open(getenv("PETSTORE_SYNCS"), O_WRONLY | O_APPEND | O_CREAT, 0600);
  if (syncs == -1 || write(syncs, ".", 1) != 1) abort();
  close(syncs);
  while (access(getenv("PETSTORE_HOLD"), F_OK) == 0) usleep(1000);
  return ((int (*)(int))dlsym(RTLD_NEXT, name))(file);
}

int fsync(int file) { return sync_later("fsync", file); }
int fdatasync(int file) { return sync_later("fdatasync", file); }
