/*
 * The client's half of a delegation.
 */
#ifndef GELATO_IT_SIGNATURE_H
#define GELATO_IT_SIGNATURE_H

#include <string>

/*
 * Signs the CE's certificate request with a proxy, the way the original client does: SHA-1, RFC 3820 with all rights, the last
 * CN of the proxy once more. Returns PEM: the new certificate, then the proxy's chain. Throws failure.
 */
std::string sign_request(const std::string &request, const std::string &proxy_file);

#endif
