/*
 * One user's calls to one CE through the stubs gSOAP generated: TLS with a proxy, one line of output per step, faults in
 * words.
 */
#ifndef GELATO_IT_SESSION_H
#define GELATO_IT_SESSION_H

#include <functional>
#include <stdexcept>
#include <string>

#include "soapCream2SoapProxy.h"
#include "soapDelegationSoapProxy.h"

/* A step went wrong; the message says how. */
struct failure : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/* A fault as the generated code read it from the detail of an answer. */
struct typed_fault {
    std::string kind; /* local name of the element; empty when the detail held none that the WSDL names */
    std::string method;
    std::string description;
    bool timed; /* whether it carries a time */
};

class session {
  public:
    /* base: https://host:port of the CE. Throws failure when the proxy or the trust anchors cannot be read. */
    session(const std::string &base, const std::string &proxy_file, const std::string &ca_directory);
    ~session();
    session(const session &) = delete;
    session &operator=(const session &) = delete;

    struct soap *soap() { return context; }

    /* Throws with the fault's words unless a call went well. */
    void must(int result);

    /* The fault of a call; throws when the call went well or failed otherwise. */
    typed_fault fault(int result);

  private:
    struct soap *const context;
    const std::string delegation_service;

  public:
    const std::string service; /* address of the job service, as in a job id */
    Cream2SoapProxy jobs;
    DelegationSoapProxy delegations;
};

/* Steps of the story and how many of them went wrong. */
class steps {
  public:
    /* Runs one step and prints its line: what `act` returns, or why it failed. */
    void step(const std::string &operation, const std::function<std::string()> &act);

    /* Prints the sum; the program's exit code. */
    int end() const;

  private:
    int done = 0;
    int failed = 0;
};

/* Throws unless a condition holds. */
void check(bool holds, const std::string &otherwise);

#endif
