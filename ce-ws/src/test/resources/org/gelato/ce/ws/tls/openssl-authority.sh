#!/usr/bin/env bash
# Makes, in the present directory, a root CA and two CAs below it: one with an RSA key, one with a key on a curve and a CRL. Below them users
# with keys of several kinds and RFC 3820 proxies of theirs, all by OpenSSL. certificates/ is a directory of trust anchors, NAME.pem a user's
# certificate, NAME-proxy.pem a proxy and it, and NAME-whole.pem a user's certificate and the CA's.
set -eu
export OPENSSL_CONF="$PWD/openssl.cnf"
cat > openssl.cnf <<'END'
[ req ]
distinguished_name = none
prompt = no
[ none ]
CN = none
[ ca ]
basicConstraints = critical, CA:TRUE
keyUsage = critical, keyCertSign, cRLSign
subjectKeyIdentifier = hash
certificatePolicies = 1.2.840.113612.5.2.2.1
[ user ]
basicConstraints = critical, CA:FALSE
keyUsage = critical, digitalSignature, keyEncipherment, dataEncipherment
extendedKeyUsage = clientAuth, emailProtection
subjectKeyIdentifier = hash
authorityKeyIdentifier = keyid
subjectAltName = email:jane@example.org
authorityInfoAccess = caIssuers;URI:http://ca.example.org/ca.crt, OCSP;URI:http://ca.example.org/ocsp
crlDistributionPoints = URI:http://ca.example.org/ca.crl
certificatePolicies = 1.2.840.113612.5.2.2.1, 1.2.840.113612.5.2.3.3.3, @own
[ own ]
policyIdentifier = 1.3.6.1.4.1.32473.1.1.1
CPS.1 = "http://ca.example.org/policy"
userNotice.1 = @notice
[ notice ]
explicitText = "Certificates of an example"
[ any ]
basicConstraints = critical, CA:FALSE
keyUsage = critical, digitalSignature
certificatePolicies = critical, 2.5.29.32.0
[ lists ]
database = index.txt
[ proxy ]
keyUsage = critical, digitalSignature, keyEncipherment
proxyCertInfo = critical, language:id-ppl-inheritAll
END

sign() { # NAME SECTION SUBJECT ISSUER
  openssl req -new -key "$1.key" -subj "$3" -out "$1.csr"
  openssl x509 -req -in "$1.csr" -CA "$4.pem" -CAkey "$4.key" -set_serial "$RANDOM$RANDOM" -days 3 -sha256 \
    -extfile openssl.cnf -extensions "$2" -out "$1.pem"
}

anchor() { # NAME SUBJECT NAMESPACE
  hash=$(openssl x509 -in "$1.pem" -noout -hash)
  cp "$1.pem" "certificates/$hash.0"
  printf "access_id_CA X509 '%s'\npos_rights globus CA:sign\ncond_subjects globus '\"%s\"'\n" "$2" "$3" \
    > "certificates/$hash.signing_policy"
}

mkdir certificates
base=/DC=org/DC=example
openssl genrsa -out root.key 2048
openssl req -x509 -new -key root.key -subj "$base/CN=Example Root CA" -days 9 -sha256 -extensions ca -out root.pem
openssl genrsa -out ca.key 3072
sign ca ca "$base/CN=Example CA 1" root
openssl ecparam -name secp384r1 -genkey -out curves.key
sign curves ca "$base/CN=Example ECC CA" root
anchor root "$base/CN=Example Root CA" "$base/CN=Example CA 1\" \"$base/CN=Example ECC CA"
anchor ca "$base/CN=Example CA 1" "$base/*"
anchor curves "$base/CN=Example ECC CA" "$base/*"
: > index.txt
openssl ca -gencrl -name lists -md sha384 -crldays 3 -keyfile curves.key -cert curves.pem -out "certificates/$hash.r0"

openssl genrsa -out rsa.key 4096
openssl ecparam -name prime256v1 -genkey -noout -out ec.key
openssl genrsa -out any.key 2048
cp any.key robot.key
mail=/emailAddress=jane.doe@physics.example.org
sign rsa user "$base/C=XX/O=The Institute of Long Names/OU=Department of Physics/CN=Jane Doe 123456$mail" ca
sign ec user "$base/O=People/CN=Elliptic Doe" ca
sign any any "$base/O=People/CN=Any Policy" ca
sign robot user "$base/O=People/CN=Robot: pilots - Jane Doe" ca
cp ec.key below-curve.key
sign below-curve user "$base/O=People/CN=Elliptic Roe" curves
openssl genrsa -out proxy.key 2048
for name in rsa ec any robot below-curve; do
  subject=$(openssl x509 -in $name.pem -noout -subject -nameopt compat | sed 's/^subject= *//')
  ln -s proxy.key $name-proxy.key
  sign $name-proxy proxy "$subject/CN=4711" $name
  cat $name.pem >> $name-proxy.pem
  authority=ca
  [ $name != below-curve ] || authority=curves
  cat $name.pem $authority.pem > $name-whole.pem
done
