/* The clock of a process, ahead or back by the seconds that a file has (8 bytes), while it runs. What measures time that passes is not
   changed, as at a step of a host's clock. Children have the host's. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static volatile int64_t *shift;

__attribute__((constructor)) static void begin(void)
{
    char self[4096];
    const char *file = getenv("GELATO_TEST_CLOCK");
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    /* the shell before it passes it on */
    if (file == NULL || length < 5 || memcmp(self + length - 5, "/java", 5) != 0)
        return;
    int fd = open(file, O_RDONLY | O_CLOEXEC);
    if (fd >= 0) {
        void *map = mmap(NULL, sizeof *shift, PROT_READ, MAP_SHARED, fd, 0);
        if (map != MAP_FAILED)
            shift = map;
        close(fd);
    }
    unsetenv("LD_PRELOAD");
}

int clock_gettime(clockid_t clock, struct timespec *now)
{
    int result = (int)syscall(SYS_clock_gettime, clock, now);
    if (result == 0 && shift != NULL && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE))
        now->tv_sec += *shift;
    return result;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone)
{
    struct timespec t;
    (void)zone;
    clock_gettime(CLOCK_REALTIME, &t);
    now->tv_sec = t.tv_sec;
    now->tv_usec = t.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *result)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    if (result != NULL)
        *result = t.tv_sec;
    return t.tv_sec;
}
