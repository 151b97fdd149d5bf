/*
 * The verb TREE: what lies below a directory, done at once.
 */
#ifndef GELATO_TREE_H
#define GELATO_TREE_H

#include "work.h"

void tree_list(struct work *w, const struct request *r);

#endif
