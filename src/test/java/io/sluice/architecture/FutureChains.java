package io.sluice.architecture;

import com.github.javaparser.JavaParser;
import com.github.javaparser.ParserConfiguration;
import com.github.javaparser.ParserConfiguration.LanguageLevel;
import com.github.javaparser.ast.CompilationUnit;
import com.github.javaparser.ast.Node;
import com.github.javaparser.ast.body.CallableDeclaration;
import com.github.javaparser.ast.body.MethodDeclaration;
import com.github.javaparser.ast.body.TypeDeclaration;
import com.github.javaparser.ast.body.VariableDeclarator;
import com.github.javaparser.ast.expr.AssignExpr;
import com.github.javaparser.ast.expr.Expression;
import com.github.javaparser.ast.expr.LambdaExpr;
import com.github.javaparser.ast.expr.MethodCallExpr;
import com.github.javaparser.ast.expr.MethodReferenceExpr;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Finds chains of Futures that grow with the data they iterate over. Each link completes inside the
 * one before it, so a long chain overflows the stack, and its last Future never completes.
 *
 * <p>Two shapes: a Future that is assigned what is chained to itself; and a method that is called
 * again, directly or through other methods of its class, from inside a lambda that it chains. Calls
 * are matched by name and number of arguments.
 */
final class FutureChains {
  private static final Set<String> LINKS =
      Set.of("compose", "recover", "transform", "flatMap", "eventually");

  private FutureChains() {}

  /** The methods of a Java file with such a chain, sorted by name. */
  static Collection<String> in(String text) {
    var java17 = new ParserConfiguration().setLanguageLevel(LanguageLevel.JAVA_17);
    var result = new JavaParser(java17).parse(text);
    CompilationUnit unit =
        result
            .getResult()
            .filter(parsed -> result.isSuccessful())
            .orElseThrow(() -> new IllegalArgumentException(result.getProblems().toString()));
    Set<String> found = new TreeSet<>();
    for (CallableDeclaration<?> method : unit.findAll(CallableDeclaration.class)) {
      if (method.findAll(AssignExpr.class).stream().anyMatch(FutureChains::growsItself)) {
        found.add(method.getNameAsString());
      }
    }
    unit.findAll(TypeDeclaration.class).forEach(type -> found.addAll(comingBack(type)));
    return found;
  }

  /** {@code all = all.compose(...)}, also by way of a local variable. */
  private static boolean growsItself(AssignExpr assignment) {
    String target = nameOf(assignment.getTarget());
    Expression value = assignment.getValue();
    if (isLinkedTo(value, target)) {
      return true;
    }
    return value.isNameExpr()
        && assignment
            .findAncestor(CallableDeclaration.class)
            .map(method -> ((Node) method).findAll(VariableDeclarator.class))
            .orElse(List.of())
            .stream()
            .filter(local -> local.getNameAsString().equals(value.toString()))
            .anyMatch(
                local ->
                    local.getInitializer().filter(from -> isLinkedTo(from, target)).isPresent());
  }

  /** Whether this is a chain of calls that starts at this name and has a chaining call in it. */
  private static boolean isLinkedTo(Expression value, String name) {
    boolean linked = false;
    Optional<Expression> at = Optional.of(value);
    while (at.isPresent() && at.get().isMethodCallExpr()) {
      linked |= isLink(at.get().asMethodCallExpr());
      at = at.get().asMethodCallExpr().getScope();
    }
    return linked && at.map(begin -> nameOf(begin).equals(name)).orElse(false);
  }

  private static String nameOf(Expression expression) {
    return expression.toString().replaceFirst("^this\\.", "");
  }

  private static boolean isLink(MethodCallExpr call) {
    return LINKS.contains(call.getNameAsString());
  }

  private static Set<String> comingBack(TypeDeclaration<?> type) {
    Map<String, Set<String>> calls = new HashMap<>();
    Map<String, Set<String>> chained = new HashMap<>();
    for (MethodDeclaration method : type.getMethods()) {
      String from = method.getNameAsString() + "/" + method.getParameters().size();
      for (MethodCallExpr call : method.findAll(MethodCallExpr.class)) {
        String to = call.getNameAsString() + "/" + call.getArguments().size();
        if (isOwn(call) && isChained(call, method)) {
          chained.computeIfAbsent(from, key -> new HashSet<>()).add(to);
        } else if (isOwn(call) && !isLater(call, method)) {
          calls.computeIfAbsent(from, key -> new HashSet<>()).add(to);
        }
      }
      for (MethodReferenceExpr reference : method.findAll(MethodReferenceExpr.class)) {
        if (reference.getScope().isThisExpr() && isChained(reference, method)) {
          type.getMethodsByName(reference.getIdentifier())
              .forEach(
                  to ->
                      chained
                          .computeIfAbsent(from, key -> new HashSet<>())
                          .add(to.getNameAsString() + "/" + to.getParameters().size()));
        }
      }
    }
    chained.forEach((from, all) -> calls.computeIfAbsent(from, key -> new HashSet<>()).addAll(all));
    Set<String> found = new TreeSet<>();
    chained.forEach(
        (from, links) ->
            links.stream()
                .filter(to -> reaches(calls, to, from))
                .forEach(to -> found.add(from.replaceFirst("/.*", ""))));
    return found;
  }

  private static boolean isOwn(MethodCallExpr call) {
    return call.getScope().map(Expression::isThisExpr).orElse(true);
  }

  /**
   * Whether the node is in a lambda: a call that is made later, e.g. by a timer, adds no link to
   * the chain.
   */
  private static boolean isLater(Node node, Node method) {
    return node.findAncestor(LambdaExpr.class).filter(method::isAncestorOf).isPresent();
  }

  /**
   * Whether the node is in a lambda, or is a method reference, passed to a chaining call of this
   * method.
   */
  private static boolean isChained(Node node, Node method) {
    boolean deferred = node instanceof MethodReferenceExpr;
    Node below = node;
    for (Node at = node.getParentNode().orElse(method);
        !(at instanceof CallableDeclaration<?>);
        at = at.getParentNode().orElse(method)) {
      deferred |= at instanceof LambdaExpr;
      if (deferred
          && at instanceof MethodCallExpr call
          && isLink(call)
          && call.getArguments().contains(below)) {
        return true;
      }
      below = at;
    }
    return false;
  }

  private static boolean reaches(Map<String, Set<String>> calls, String from, String goal) {
    Set<String> seen = new HashSet<>();
    Deque<String> open = new ArrayDeque<>(List.of(from));
    while (!open.isEmpty()) {
      String at = open.remove();
      if (at.equals(goal)) {
        return true;
      }
      if (seen.add(at)) {
        open.addAll(calls.getOrDefault(at, Set.of()));
      }
    }
    return false;
  }
}
