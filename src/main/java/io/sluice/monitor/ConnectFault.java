package io.sluice.monitor;

import io.netty.handler.ssl.NotSslRecordException;
import java.io.IOException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Why a server cannot be used. {@code /readyz} shows the text to anyone; the cause itself, which
 * may have addresses and names, goes to the log alone.
 */
public enum ConnectFault {
  UNREACHABLE("unreachable"),
  LOGIN_REFUSED("login refused"),
  PERMISSION_MISSING("permission missing"),
  CERTIFICATE_NOT_TRUSTED("tls: certificate not trusted"),
  CERTIFICATE_NOT_VALID("tls: certificate expired or not valid yet"),
  WRONG_HOST_NAME("tls: certificate is for another host name"),
  NOT_TLS("tls: server does not speak it"),
  TLS_REQUIRED("tls: server requires it"),
  TLS_FAILED("tls: handshake failed"),
  UNFIT("not configured as required"),
  OTHER_LEDGER("has the stock of another ledger"),
  FAILED("failed");

  /** A failure that knows its reason. */
  public interface Known {
    ConnectFault connectFault();
  }

  private static final int CAUSES_MAX = 16;

  private final String text;

  ConnectFault(String text) {
    this.text = text;
  }

  public String text() {
    return text;
  }

  /** The reason of a failure: the most precise one that its causes tell. */
  public static ConnectFault of(Throwable failure) {
    ConnectFault found = FAILED;
    for (Throwable cause : chain(failure)) {
      ConnectFault each = ofOne(cause);
      if (each != FAILED && (found == FAILED || isVague(found))) {
        found = each;
      }
    }
    return found;
  }

  /**
   * The cause as one line for the log: what failed, and the innermost reason that it names. A TLS
   * failure has the useful sentence at the end of its causes.
   */
  public static String line(Throwable failure) {
    List<Throwable> chain = chain(failure);
    String outer = String.valueOf(failure.getMessage());
    String inner = String.valueOf(chain.get(chain.size() - 1).getMessage());
    String line = outer.contains(inner) ? outer : outer + ": " + inner;
    return line.replaceAll("\\s*\\R\\s*", " ");
  }

  /** Whether a cause below may say more. */
  private static boolean isVague(ConnectFault fault) {
    return fault == TLS_FAILED || fault == UNREACHABLE || fault == CERTIFICATE_NOT_TRUSTED;
  }

  private static ConnectFault ofOne(Throwable cause) {
    if (cause instanceof Known known) {
      return known.connectFault();
    }
    if (cause instanceof CertificateExpiredException
        || cause instanceof CertificateNotYetValidException) {
      return CERTIFICATE_NOT_VALID;
    }
    if (cause instanceof CertPathBuilderException || cause instanceof CertPathValidatorException) {
      return CERTIFICATE_NOT_TRUSTED;
    }
    if (cause instanceof CertificateException) {
      return isAboutNames(cause) ? WRONG_HOST_NAME : CERTIFICATE_NOT_TRUSTED;
    }
    if (cause instanceof NotSslRecordException) {
      return NOT_TLS;
    }
    if (cause instanceof SSLException) {
      return TLS_FAILED;
    }
    return cause instanceof IOException || cause instanceof TimeoutException ? UNREACHABLE : FAILED;
  }

  /** The JDK has no type of its own for this; these are its two sentences. */
  private static boolean isAboutNames(Throwable cause) {
    String message = String.valueOf(cause.getMessage());
    return message.startsWith("No name matching ") || message.startsWith("No subject alternative ");
  }

  /** A failure and its causes, the outermost first; so many that no circle is followed for ever. */
  public static List<Throwable> chain(Throwable failure) {
    List<Throwable> chain = new ArrayList<>();
    @Nullable Throwable each = failure;
    while (each != null && chain.size() < CAUSES_MAX) {
      chain.add(each);
      each = each.getCause();
    }
    return chain;
  }

  /** A server cannot be used, for this reason. The message is one line for the log. */
  public static final class ConnectFailure extends RuntimeException implements ConnectFault.Known {
    private static final long serialVersionUID = 1L;

    private final ConnectFault fault;

    public ConnectFailure(ConnectFault fault, Throwable cause) {
      super(ConnectFault.line(cause), cause);
      this.fault = fault;
    }

    public ConnectFailure(ConnectFault fault, String message) {
      super(message);
      this.fault = fault;
    }

    @Override
    public ConnectFault connectFault() {
      return fault;
    }
  }
}
