/*
 * The channel to the JVM side: BLAHP lines in, replies and results out.
 *
 * Trust boundary: everything read is hostile. Invariant: every line gets exactly one reply line (RESULTS: one and its
 * results), in order, and `R` never stands inside a reply.
 */
#ifndef GELATO_CHANNEL_H
#define GELATO_CHANNEL_H

#include "config.h"

/* Serves stdin and stdout until QUIT (returns 0) or the end of input (returns 1). */
int channel_serve(const struct config *c);

#endif
