/*
 * The client's half of a delegation; see signature.h.
 */
#include "signature.h"

#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509v3.h>

#include <memory>
#include <vector>

#include "session.h"

template <typename T, void (*FREE)(T *)> struct releases {
    void operator()(T *p) const { FREE(p); }
};
template <typename T, void (*FREE)(T *)> using owned = std::unique_ptr<T, releases<T, FREE>>;
using certificate = owned<X509, X509_free>;
using private_key = owned<EVP_PKEY, EVP_PKEY_free>;
using bytes = owned<BIO, BIO_free_all>;

static const long CLOCK_SKEW_SECONDS = 300;

static bytes text(const std::string &pem) { return bytes(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size()))); }

static std::vector<certificate> read_chain(const std::string &file) {
    bytes in(BIO_new_file(file.c_str(), "r"));
    std::vector<certificate> chain;
    while (X509 *next = in ? PEM_read_bio_X509(in.get(), nullptr, nullptr, nullptr) : nullptr) {
        chain.emplace_back(next);
    }
    ERR_clear_error();
    check(!chain.empty(), "no certificate in " + file);
    return chain;
}

static private_key read_key(const std::string &file) {
    bytes in(BIO_new_file(file.c_str(), "r"));
    private_key key(in ? PEM_read_bio_PrivateKey(in.get(), nullptr, nullptr, nullptr) : nullptr);
    check(key != nullptr, "no private key in " + file);
    return key;
}

static private_key requested_key(const std::string &request) {
    owned<X509_REQ, X509_REQ_free> parsed(PEM_read_bio_X509_REQ(text(request).get(), nullptr, nullptr, nullptr));
    check(parsed != nullptr, "the answer is no certificate request: " + request);
    private_key key(X509_REQ_get_pubkey(parsed.get()));
    check(key && X509_REQ_verify(parsed.get(), key.get()) == 1, "the request is not signed by its own key");
    return key;
}

static void add_extensions(X509 *to) {
    owned<PROXY_CERT_INFO_EXTENSION, PROXY_CERT_INFO_EXTENSION_free> info(PROXY_CERT_INFO_EXTENSION_new());
    info->proxyPolicy->policyLanguage = OBJ_nid2obj(NID_id_ppl_inheritAll);
    check(X509_add1_ext_i2d(to, NID_proxyCertInfo, info.get(), 1, X509V3_ADD_DEFAULT) == 1, "cannot say it is a proxy");
    owned<X509_EXTENSION, X509_EXTENSION_free> usage(X509V3_EXT_conf_nid(
        nullptr, nullptr, NID_key_usage, "critical,digitalSignature,keyEncipherment,dataEncipherment"));
    check(usage && X509_add_ext(to, usage.get(), -1), "cannot say what the key is for");
}

static void set_names(X509 *made, X509 *proxy) {
    X509_NAME *issuer = X509_get_subject_name(proxy);
    owned<X509_NAME, X509_NAME_free> subject(X509_NAME_dup(issuer));
    const X509_NAME_ENTRY *last = X509_NAME_get_entry(issuer, X509_NAME_entry_count(issuer) - 1);
    check(X509_NAME_add_entry(subject.get(), last, -1, 0) && X509_set_subject_name(made, subject.get()) &&
              X509_set_issuer_name(made, issuer),
          "cannot name the new proxy");
}

static void set_serial(X509 *made) {
    unsigned char number[8];
    check(RAND_bytes(number, sizeof number) == 1, "no random numbers");
    number[0] = static_cast<unsigned char>((number[0] & 0x3f) | 0x40);
    owned<BIGNUM, BN_free> serial(BN_bin2bn(number, sizeof number, nullptr));
    check(BN_to_ASN1_INTEGER(serial.get(), X509_get_serialNumber(made)) != nullptr, "cannot set the serial number");
}

std::string sign_request(const std::string &request, const std::string &proxy_file) {
    private_key theirs = requested_key(request);
    private_key ours = read_key(proxy_file);
    std::vector<certificate> chain = read_chain(proxy_file);
    X509 *proxy = chain.front().get();

    certificate made(X509_new());
    X509_set_version(made.get(), 2);
    set_serial(made.get());
    set_names(made.get(), proxy);
    X509_gmtime_adj(X509_getm_notBefore(made.get()), -CLOCK_SKEW_SECONDS);
    X509_set1_notAfter(made.get(), X509_get0_notAfter(proxy));
    X509_set_pubkey(made.get(), theirs.get());
    add_extensions(made.get());
    check(X509_sign(made.get(), ours.get(), EVP_sha1()) > 0, "cannot sign with the proxy's key");

    bytes out(BIO_new(BIO_s_mem()));
    PEM_write_bio_X509(out.get(), made.get());
    for (const certificate &one : chain) {
        PEM_write_bio_X509(out.get(), one.get());
    }
    char *pem;
    long size = BIO_get_mem_data(out.get(), &pem);
    return std::string(pem, static_cast<size_t>(size));
}
