package io.sluice.testkit.tls;

import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import io.sluice.testkit.process.Folders;
import io.sluice.testkit.server.BackendException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.time.Instant;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * A certificate authority of one test, and the certificates that it issues, as files in a folder.
 * Another object is another authority, which callers that trust this one do not know.
 */
public final class Certificates {
  /** The password of every PKCS12 file. */
  public static final String PASSWORD = "changeit";

  private static final Duration VALIDITY = Duration.ofHours(12);

  private final Path folder;
  private final X509Bundle authority;
  private final Path ca;
  private final Path trustStore;

  /**
   * A certificate and its private key.
   *
   * @param certificate PEM, with the chain below the authority
   * @param key PEM, PKCS #8, not encrypted
   * @param keyStore PKCS12 with both, under {@link #PASSWORD}
   */
  public record Issued(Path certificate, Path key, Path keyStore) {
    /** What a server speaks TLS with that shows this certificate. */
    public SSLContext server() {
      try (InputStream in = Files.newInputStream(keyStore)) {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(in, PASSWORD.toCharArray());
        KeyManagerFactory keys =
            KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, PASSWORD.toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), null, null);
        return context;
      } catch (IOException | GeneralSecurityException e) {
        throw new BackendException("cannot make a server", e);
      }
    }
  }

  private Certificates(Path folder, X509Bundle authority) {
    this.folder = folder;
    this.authority = authority;
    this.ca = write(folder.resolve("ca.pem"), authority.getRootCertificatePEM());
    this.trustStore = write(folder.resolve("ca.p12"), trusting(authority));
  }

  /** Founds an authority with this common name; the folder is created. */
  public static Certificates foundedIn(Path folder, String commonName) {
    Folders.create(folder);
    try {
      X509Bundle authority =
          from(Instant.now().minus(VALIDITY))
              .subject("CN=" + commonName)
              .setIsCertificateAuthority(true)
              .setKeyUsage(
                  true,
                  CertificateBuilder.KeyUsage.keyCertSign,
                  CertificateBuilder.KeyUsage.cRLSign)
              .buildSelfSigned();
      return new Certificates(folder, authority);
    } catch (Exception e) {
      throw new BackendException("cannot make the authority " + commonName, e);
    }
  }

  /** The authority's own certificate, PEM. */
  public Path ca() {
    return ca;
  }

  /** A PKCS12 trust store with the authority's certificate, under {@link #PASSWORD}. */
  public Path trustStore() {
    return trustStore;
  }

  /** What a client speaks TLS with that trusts this authority only. */
  public SSLContext client() {
    try {
      TrustManagerFactory trust =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(trusting(authority));
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, trust.getTrustManagers(), null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new BackendException("cannot make a client", e);
    }
  }

  /**
   * Issues a certificate that servers and clients may show.
   *
   * @param file the name of its files, without a suffix; it replaces an earlier one
   * @param names each a host name or an IP address; the first is the common name as well
   */
  public Issued issue(String file, String... names) {
    return issue(file, Instant.now().minus(VALIDITY), names);
  }

  /** Issues a certificate whose time is over. */
  public Issued issueExpired(String file, String... names) {
    return issue(file, Instant.now().minus(VALIDITY.multipliedBy(3)), names);
  }

  private Issued issue(String file, Instant notBefore, String... names) {
    CertificateBuilder builder = from(notBefore).subject("CN=" + names[0]);
    for (String name : names) {
      if (isAddress(name)) {
        builder.addSanIpAddress(name);
      } else {
        builder.addSanDnsName(name);
      }
    }
    builder.addExtendedKeyUsageServerAuth().addExtendedKeyUsageClientAuth();
    try {
      X509Bundle issued = builder.buildIssuedBy(authority);
      return new Issued(
          write(folder.resolve(file + ".pem"), issued.getCertificatePathPEM()),
          write(folder.resolve(file + ".key"), issued.getPrivateKeyPEM()),
          write(folder.resolve(file + ".p12"), issued.toKeyStore(PASSWORD.toCharArray())));
    } catch (Exception e) {
      throw new BackendException("cannot issue a certificate for " + String.join(", ", names), e);
    }
  }

  /** A curve whose keys are drawn in no time, and that every server of the tests takes. */
  private static CertificateBuilder from(Instant notBefore) {
    return new CertificateBuilder()
        .ecp256()
        .notBefore(notBefore)
        .notAfter(notBefore.plus(VALIDITY.multipliedBy(2)));
  }

  private static boolean isAddress(String name) {
    return name.indexOf(':') >= 0 || name.matches("[0-9.]+");
  }

  private static KeyStore trusting(X509Bundle authority) {
    try {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      store.setCertificateEntry("ca", authority.getRootCertificate());
      return store;
    } catch (IOException | GeneralSecurityException e) {
      throw new BackendException("cannot make a trust store", e);
    }
  }

  private static Path write(Path file, KeyStore store) {
    try (OutputStream out = Files.newOutputStream(file)) {
      store.store(out, PASSWORD.toCharArray());
      return file;
    } catch (IOException | GeneralSecurityException e) {
      throw new BackendException("cannot write " + file, e);
    }
  }

  private static Path write(Path file, String text) {
    try {
      return Files.write(file, text.getBytes(StandardCharsets.US_ASCII));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
