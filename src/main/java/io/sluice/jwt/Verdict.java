package io.sluice.jwt;

/** What is known about a token. */
public sealed interface Verdict {
  /** It is signed by a key in force, and its claims are as the rule demands. */
  record Valid(Claims claims) implements Verdict {}

  /** It is refused. */
  record Invalid(JwtFault fault) implements Verdict {}
}
