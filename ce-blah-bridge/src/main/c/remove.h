/*
 * The verb REMOVE: trees, a slice at a time.
 */
#ifndef GELATO_REMOVE_H
#define GELATO_REMOVE_H

#include "work.h"

void removal_queue(struct work *w, const struct request *r);
void removal_step(struct work *w);

#endif
