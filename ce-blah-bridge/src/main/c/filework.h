/*
 * The verbs MKDIR, PUT, GET, LIST, COLLECT, DISCARD, RENAME: file work that is done at once.
 */
#ifndef GELATO_FILEWORK_H
#define GELATO_FILEWORK_H

#include "work.h"

void file_work(struct work *w, const struct request *r);

#endif
