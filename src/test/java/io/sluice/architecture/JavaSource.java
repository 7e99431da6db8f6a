package io.sluice.architecture;

import com.github.javaparser.JavaParser;
import com.github.javaparser.ParserConfiguration;
import com.github.javaparser.ParserConfiguration.LanguageLevel;
import com.github.javaparser.Range;
import com.github.javaparser.ast.CompilationUnit;
import com.github.javaparser.ast.Node;
import com.github.javaparser.ast.body.CompactConstructorDeclaration;
import com.github.javaparser.ast.body.ConstructorDeclaration;
import com.github.javaparser.ast.body.EnumConstantDeclaration;
import com.github.javaparser.ast.body.EnumDeclaration;
import com.github.javaparser.ast.body.InitializerDeclaration;
import com.github.javaparser.ast.body.MethodDeclaration;
import com.github.javaparser.ast.nodeTypes.NodeWithSimpleName;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

/** One Java file, parsed but not compiled. */
final class JavaSource {
  private static final List<Class<? extends Node>> METHODS =
      List.of(
          MethodDeclaration.class,
          ConstructorDeclaration.class,
          CompactConstructorDeclaration.class,
          InitializerDeclaration.class);

  private final CompilationUnit unit;

  JavaSource(String text) {
    var java17 = new ParserConfiguration().setLanguageLevel(LanguageLevel.JAVA_17);
    var result = new JavaParser(java17).parse(text);
    unit =
        result
            .getResult()
            .filter(parsed -> result.isSuccessful())
            .orElseThrow(() -> new IllegalArgumentException(result.getProblems().toString()));
  }

  /**
   * A method, constructor or initializer; its annotations count as lines of it, its Javadoc does
   * not.
   */
  record Method(String name, int lineCount) {}

  List<Method> methods() {
    return METHODS.stream()
        .flatMap(type -> unit.findAll(type).stream())
        .map(node -> new Method(nameOf(node), node.getRange().map(Range::getLineCount).orElse(0)))
        .toList();
  }

  /** The methods that chain Futures without a bound. */
  Collection<String> futureChains() {
    return FutureChains.in(unit);
  }

  /** The constants of the enum that this file declares. */
  List<String> enumConstants() {
    return constants().map(EnumConstantDeclaration::getNameAsString).toList();
  }

  private Stream<EnumConstantDeclaration> constants() {
    return unit.getTypes().stream()
        .filter(EnumDeclaration.class::isInstance)
        .flatMap(type -> type.asEnumDeclaration().getEntries().stream());
  }

  private static String nameOf(Node node) {
    return node instanceof NodeWithSimpleName<?> named ? named.getNameAsString() : "initializer";
  }
}
