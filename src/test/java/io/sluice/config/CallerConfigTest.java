package io.sluice.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.sluice.config.OperatorToken.Role;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the configuration says about callers: tokens, operators, gateways. */
class CallerConfigTest {
  private static final String A = "aaaaaaaaaaaaaaaa";
  private static final String B = "bbbbbbbbbbbbbbbb";
  private static final String C = "cccccccccccccccc";

  @TempDir Path directory;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "auth: {trusted_proxies: \"10.0.0.0/8, ::1\"}",
        "auth: {trusted_proxies: [10.0.0.0/8, \"::1\"]}",
      })
  void shouldReadGatewaysFromAListOrWithCommas(String yaml) throws Exception {
    // when
    List<Cidr> gateways = load(yaml).auth().trustedProxies();

    // then
    assertThat(gateways).containsExactly(Cidr.parse("10.0.0.0/8"), Cidr.parse("::1"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "\"10.0.0.0/8,10.0.0.0/33\"|was \"10.0.0.0/33\"",
        "\"10.0.0.0/8,,::1\"|was \"\"",
        "\"10.0.0.0/8,\"|was \"\"",
        "[10.0.0.0/8, gateway]|was \"gateway\"",
        "[10.0.0.0/8, null]|was null",
        "10|was 10",
        "\"\"|must name the gateway where auth.mode is header",
        "[]|must name the gateway where auth.mode is header",
      })
  void shouldNameTheEntryWhenAGatewayIsNone(String value, String sentence) {
    // when
    InvalidConfigException fault = fault("auth: {trusted_proxies: " + value + "}");

    // then
    assertThat(fault.key()).isEqualTo("auth.trusted_proxies");
    assertThat(fault).hasMessageStartingWith("auth.trusted_proxies").hasMessageContaining(sentence);
  }

  @Test
  void shouldTakeTwoTokensWhileTheyAreExchanged() throws Exception {
    // when
    Config config =
        load("auth: {service_token: \"%s,%s\"}\nadmin: {token: \"%s, %s\"}".formatted(A, B, B, C));

    // then
    assertThat(config.auth().serviceTokens()).containsExactly(A, B);
    assertThat(config.admin().operators())
        .containsExactly(new OperatorToken("admin", Role.OPERATOR, List.of(B, C)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"short-hidden", "%1$s,", ",%1$s", "%1$s,%1$s,%1$s", "%1$s hidden", "%1$s;%1$s"})
  void shouldRefuseATokenThatIsShortOrNone(String form) {
    // given
    String token = form.formatted("hiddenhiddenhidden");

    // when
    InvalidConfigException service = fault("auth: {service_token: \"" + token + "\"}");
    InvalidConfigException admin = fault("admin: {token: \"" + token + "\"}");
    InvalidConfigException operator =
        fault("admin: {tokens: {alice: {role: reader, token: \"" + token + "\"}}}");

    // then
    assertThat(service.key()).isEqualTo("auth.service_token");
    assertThat(admin.key()).isEqualTo("admin.token");
    assertThat(operator).hasMessageStartingWith("admin.tokens.alice.token must be");
    assertThat(List.of(service, admin, operator))
        .allSatisfy(
            fault ->
                assertThat(fault)
                    .hasMessageContaining("16 to 512 characters")
                    .hasMessageNotContaining("hidden"));
  }

  @Test
  void shouldReadOperatorsFromAMap() throws Exception {
    // when
    AdminConfig admin =
        load("""
        admin:
          token: "%s"
          tokens:
            alice: {role: operator, token: "%s"}
            bob: {role: reader, token: "%s,%s"}
        """
                .formatted(A, B, C, C + C))
            .admin();

    // then
    assertThat(admin.operators())
        .containsExactlyInAnyOrder(
            new OperatorToken("alice", Role.OPERATOR, List.of(B)),
            new OperatorToken("bob", Role.READER, List.of(C, C + C)),
            new OperatorToken("admin", Role.OPERATOR, List.of(A)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "alice:operator:%s;bob:reader:%s,%s",
        " alice : operator : %s ;; bob:reader:%s, %s; ",
        "alice:operator:%s\nbob:reader:%s,%s\n",
        "alice:operator:%s\r\nbob:reader:%s,%s",
      })
  void shouldReadOperatorsFromText(String form) {
    // when
    AdminConfig admin = Configs.of(Map.of("SLUICE_ADMIN_TOKENS", form.formatted(A, B, C))).admin();

    // then
    assertThat(admin.tokens())
        .containsExactly(
            new OperatorToken("alice", Role.OPERATOR, List.of(A)),
            new OperatorToken("bob", Role.READER, List.of(B, C)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "admin: {tokens: 5}|admin.tokens must be a map",
        "admin: {tokens: [a]}|admin.tokens must be a map",
        "admin: {tokens: {alice: %A}}|admin.tokens.alice must be {role, token} and nothing else",
        "admin: {tokens: {alice: {token: %A}}}|admin.tokens.alice must be {role, token} and",
        "admin: {tokens: {alice: {role: reader, token: %A, x: 1}}}|admin.tokens.alice must be",
        "admin: {tokens: {alice: {role: root, token: %A}}}|admin.tokens.alice.role must be metrics,"
            + " reader, support or operator",
        "admin: {tokens: {alice: {role: 1, token: %A}}}|admin.tokens.alice.role must be metrics,"
            + " reader, support or operator",
        "admin: {tokens: {alice: {role: reader, token: 1}}}|admin.tokens.alice.token must be",
        "admin: {tokens: {\"a b\": {role: reader, token: %A}}}|admin.tokens must be by names of 1",
        "admin: {tokens: \"alice:reader\"}|entry 1 is not",
        "admin: {tokens: \"alice:reader:%A;bob:%B\"}|entry 2 is not",
        "admin: {tokens: \"alice:reader:%A;alice:reader:%B\"}|alice is twice",
        "admin: {tokens: \"alice:reader:%A;bob:operator:%A\"}|bob has another's",
        "admin: {token: %A, tokens: \"alice:reader:%A\"}|has another's",
        "admin: {token: %A, tokens: \"admin:reader:%B\"}|admin is twice",
      })
  void shouldNameTheOperatorWhenOneIsWrong(String yaml, String sentence) {
    // when
    InvalidConfigException fault = fault(yaml.replace("%A", A).replace("%B", B));

    // then
    assertThat(fault.key()).isEqualTo("admin.tokens");
    assertThat(fault).hasMessageContaining(sentence).hasMessageNotContainingAny(A, B);
  }

  @Test
  void shouldHoldABoundedNumberOfOperators() {
    // given
    StringBuilder many = new StringBuilder();
    for (int i = 0; i <= 100; i++) {
      many.append("o%d:reader:%s-%d;".formatted(i, A, i));
    }

    // when
    InvalidConfigException fault = fault("admin: {tokens: \"" + many + "\"}");

    // then
    assertThat(fault).hasMessage("admin.tokens must be at most 100 operators");
  }

  @Test
  void shouldShowOperatorsWithoutTheirTokens() throws Exception {
    // when
    List<String> lines = load("admin: {tokens: {alice: {role: reader, token: " + A + "}}}").lines();

    // then
    assertThat(lines).contains("admin.tokens = [alice (reader)]", "auth.service_token = (none)");
    assertThat(lines).noneMatch(line -> line.contains(A));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        "header|||||| sub|-",
        "header|%S|||||sub|-",
        "header||pem|||| sub|-",
        "header|||set|shop||sub|-",
        "header||||shop||sub|auth.issuer must not be set where no key of tokens is set",
        "header|%S||||sluice|sub|auth.audience must not be set where auth.mode is header",
        "header|%S|||||uid|auth.user_claim must not be set where auth.mode is header",
        "jwt|%S|||shop|sluice|uid|-",
        "jwt||pem||||https://shop.example/uid|-",
        "jwt|||set|||sub|-",
        "jwt||||||sub|auth.mode must not be jwt without one of auth.jwt_secret,"
            + " auth.jwt_public_key",
        "jwt|%S|pem||||sub|auth.jwt_secret, auth.jwt_public_key and auth.jwks_file must not be set",
        "jwt||pem|set|||sub|auth.jwt_secret, auth.jwt_public_key and auth.jwks_file must not be"
            + " set",
        "jwt|hidden|||||sub|auth.jwt_secret must have 32 bytes or more",
        "jwt|%S|||||exp|auth.user_claim must be the name of a claim that has text",
        "jwt|%S|||||a b|auth.user_claim must be the name of a claim that has text",
        "basic|%S|||||sub|auth.mode must be header or jwt",
      })
  void shouldDemandTheKeysThatFitTheMode(
      String mode,
      String secret,
      String pem,
      String set,
      String issuer,
      String audience,
      String claim,
      String sentence) {
    // given
    String key = text(secret).replace("%S", "hidden-hidden-hidden-hidden-hidden");

    // when
    Throwable fault =
        catchThrowable(
            () -> auth(mode, key, text(pem), text(set), text(issuer), text(audience), claim));

    // then
    if (sentence == null) {
      assertThat(fault).isNull();
    } else {
      assertThat(fault).hasMessageStartingWith(sentence).hasMessageNotContaining("hidden");
    }
  }

  private static String text(String orNull) {
    return orNull == null ? "" : orNull;
  }

  private static AuthConfig auth(
      String mode, String secret, String pem, String set, String iss, String aud, String claim) {
    Map<String, Object> file =
        Map.of(
            "auth.mode", mode,
            "auth.jwt_secret", secret,
            "auth.jwt_public_key", pem,
            "auth.jwks_file", set,
            "auth.issuer", iss,
            "auth.audience", aud,
            "auth.user_claim", claim);
    return new Settings(file, Map.of()).section("auth", AuthConfig.class);
  }

  private Config load(String yaml) throws Exception {
    return ConfigLoader.load(Configs.file(directory, yaml), Map.of()).config();
  }

  private InvalidConfigException fault(String yaml) {
    return Configs.fault(directory, yaml);
  }
}
