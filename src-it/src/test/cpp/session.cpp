/*
 * One user's calls to one CE; see session.h.
 */
#include "session.h"

#include <iostream>
#include <sstream>
#include <type_traits>

#include "Cream2Soap.nsmap"

static const int TIMEOUT_SECONDS = 60;

// The original client handles each fault as its base, by its own class.
#define IS_FAULT(name) static_assert(std::is_base_of<ns1__BaseFaultType, _ns1__##name>::value, #name)
IS_FAULT(AuthorizationFault);
IS_FAULT(DateMismatchFault);
IS_FAULT(DelegationIdMismatchFault);
IS_FAULT(DelegationProxyFault);
IS_FAULT(GenericFault);
IS_FAULT(InvalidArgumentFault);
IS_FAULT(JobStatusInvalidFault);
IS_FAULT(JobSubmissionDisabledFault);
IS_FAULT(JobUnknownFault);
IS_FAULT(LeaseIdMismatchFault);
IS_FAULT(NoSuitableResourcesFault);
IS_FAULT(OperationNotSupportedFault);
static_assert(std::is_same<decltype(ns1__JobInfo::localUser), std::string *>::value, "localUser");

static struct soap *open_context(const std::string &proxy_file, const std::string &ca_directory) {
    struct soap *context = soap_new1(SOAP_C_UTFSTRING | SOAP_XML_STRICT);
    context->connect_timeout = context->send_timeout = context->recv_timeout = TIMEOUT_SECONDS;
    if (soap_ssl_client_context(context, SOAP_SSL_REQUIRE_SERVER_AUTHENTICATION, proxy_file.c_str(), nullptr, nullptr,
                                ca_directory.c_str(), nullptr)) {
        std::ostringstream words;
        soap_stream_fault(context, words);
        soap_free(context);
        throw failure("cannot use the proxy " + proxy_file + ": " + words.str());
    }
    return context;
}

session::session(const std::string &base, const std::string &proxy_file, const std::string &ca_directory)
    : context(open_context(proxy_file, ca_directory)), delegation_service(base + "/ce-cream/services/gridsite-delegation"),
      service(base + "/ce-cream/services/CREAM2"), jobs(context, service.c_str()),
      delegations(context, delegation_service.c_str()) {}

session::~session() {
    soap_destroy(context);
    soap_end(context);
    soap_free(context);
}

void session::must(int result) {
    if (result != SOAP_OK) {
        std::ostringstream words;
        soap_stream_fault(context, words);
        throw failure(words.str());
    }
}

static typed_fault of_job_service(const char *kind, const ns1__BaseFaultType &fault) {
    return {kind, fault.MethodName, fault.Description ? *fault.Description : "", fault.Timestamp != 0};
}

typed_fault session::fault(int result) {
    check(result != SOAP_OK, "it went well where a fault was due");
    const SOAP_ENV__Detail *detail = context->fault ? context->fault->detail : nullptr;
    if (!detail) {
        must(result);
    }
    if (detail->ns1__AuthorizationFault) {
        return of_job_service("AuthorizationFault", *detail->ns1__AuthorizationFault);
    }
    if (detail->ns1__GenericFault) {
        return of_job_service("GenericFault", *detail->ns1__GenericFault);
    }
    if (detail->ns1__InvalidArgumentFault) {
        return of_job_service("InvalidArgumentFault", *detail->ns1__InvalidArgumentFault);
    }
    if (detail->ns1__JobSubmissionDisabledFault) {
        return of_job_service("JobSubmissionDisabledFault", *detail->ns1__JobSubmissionDisabledFault);
    }
    if (detail->ns1__OperationNotSupportedFault) {
        return of_job_service("OperationNotSupportedFault", *detail->ns1__OperationNotSupportedFault);
    }
    if (detail->ns2__DelegationException) {
        const std::string *text = detail->ns2__DelegationException->msg;
        return {"DelegationException", "", text ? *text : "", false};
    }
    must(result);
    return {};
}

/* One line, whatever the words are. */
static std::string flat(std::string text) {
    for (char &c : text) {
        c = static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
    return text;
}

void steps::step(const std::string &operation, const std::function<std::string()> &act) {
    done++;
    try {
        std::string words = act();
        std::cout << "gSOAP: " << operation << " ok" << (words.empty() ? "" : " ") << flat(words) << std::endl;
    } catch (const std::exception &e) {
        failed++;
        std::cout << "gSOAP: " << operation << " FAILED " << flat(e.what()) << std::endl;
    }
}

int steps::end() const {
    std::cout << "gSOAP: " << done << " operations, " << failed << " failed" << std::endl;
    return failed ? 1 : 0;
}

void check(bool holds, const std::string &otherwise) {
    if (!holds) {
        throw failure(otherwise);
    }
}
