/*
 * Jobs of one session: requests built and answers taken apart.
 */
#ifndef GELATO_IT_JOBS_H
#define GELATO_IT_JOBS_H

#include <set>

#include "session.h"

/* A filter on one job; owned by the session. */
ns1__JobFilter *one_job(session &s, const std::string &id);

/* A registration of one description that is not started at once; owned by the session. */
_ns1__JobRegisterRequest *registration(session &s, const std::string &jdl, const std::string &delegation,
                                       const std::string &description_id);

/* Registers a job with the header that tells the WMS's instance, as the WMS does, and returns its local id; throws when it is refused or the description's id does not come back. */
std::string register_job(session &s, const std::string &jdl, const std::string &delegation,
                         const std::string &description_id);

/* Throws when one of the results of a command on jobs is a fault. */
void accepted(const ns1__CommandResult &results);

/* The state of a job as its wire name; throws when the answer is a fault. */
std::string state(session &s, const std::string &id);

/* Waits until a job is in one of some states and returns it; throws when it ended in another or time is up. */
std::string await(session &s, const std::string &id, const std::set<std::string> &states);

#endif
