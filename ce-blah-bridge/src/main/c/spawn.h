/*
 * The verb SPAWN: programs that live on without their worker.
 */
#ifndef GELATO_SPAWN_H
#define GELATO_SPAWN_H

#include "work.h"

void spawn_detached(struct work *w, const struct request *r);

#endif
