/*
 * The verbs APPEND, FINISH, STAT: files that arrive in parts, done at once.
 */
#ifndef GELATO_UPLOAD_H
#define GELATO_UPLOAD_H

#include "work.h"

void upload_work(struct work *w, const struct request *r);

#endif
