package io.sluice.config.value;

import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.util.Map;
import java.util.Set;

/**
 * Tells a certificate's own private key from another one, which only fails in a handshake
 * otherwise. Half of a rotation leaves two files that can be read and do not belong together.
 */
public final class KeyProof {
  private static final byte[] PROBE = {1};

  /** The algorithm that proves that a key of this type belongs to a certificate. */
  private static final Map<String, String> SIGNATURES =
      Map.of("RSA", "SHA256withRSA", "EC", "SHA256withECDSA", "EdDSA", "EdDSA");

  /** The types of keys that can be distinguished. */
  public static final Set<String> TYPES = SIGNATURES.keySet();

  private KeyProof() {}

  /** Whether the certificate verifies what this key has signed; false for other types. */
  public static boolean isPair(PrivateKey key, X509Certificate certificate) {
    String algorithm = SIGNATURES.get(key.getAlgorithm());
    if (algorithm == null) {
      return false;
    }
    try {
      Signature signature = Signature.getInstance(algorithm);
      signature.initSign(key);
      signature.update(PROBE);
      byte[] signed = signature.sign();
      signature.initVerify(certificate.getPublicKey());
      signature.update(PROBE);
      return signature.verify(signed);
    } catch (GeneralSecurityException otherKind) {
      return false;
    }
  }
}
