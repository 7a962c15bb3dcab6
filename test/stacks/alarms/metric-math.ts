import ts from "typescript-5";

/** A data point; undefined where the metric has none. */
export type Point = number | undefined;

const operations: Partial<Record<ts.SyntaxKind, (left: number, right: number) => number>> = {
  [ts.SyntaxKind.PlusToken]: (left, right) => left + right,
  [ts.SyntaxKind.MinusToken]: (left, right) => left - right,
  [ts.SyntaxKind.AsteriskToken]: (left, right) => left * right,
  [ts.SyntaxKind.SlashToken]: (left, right) => left / right,
  [ts.SyntaxKind.GreaterThanEqualsToken]: (left, right) => Number(left >= right),
  [ts.SyntaxKind.GreaterThanToken]: (left, right) => Number(left > right),
  [ts.SyntaxKind.EqualsEqualsToken]: (left, right) => Number(left === right),
  [ts.SyntaxKind.AmpersandAmpersandToken]: (left, right) => Number(left !== 0 && right !== 0),
};

/**
 * The value of a metric math expression at one time. Its grammar is that of JavaScript but for AND; what is not known
 * here is an error, so that an alarm that uses it cannot seem quiet.
 *
 * Source: https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/using-metric-math.html
 */
export function evaluateMath(expression: string, metrics: ReadonlyMap<string, Point>): Point {
  const text = expression.replaceAll(/\bAND\b/g, "&&");
  const [statement] = ts.createSourceFile("math.ts", text, ts.ScriptTarget.Latest).statements;
  if (statement === undefined || !ts.isExpressionStatement(statement)) throw unknown(expression);
  return pointOf(statement.expression);

  function pointOf(node: ts.Expression): Point {
    if (ts.isParenthesizedExpression(node)) return pointOf(node.expression);
    if (ts.isNumericLiteral(node)) return Number(node.text);
    if (ts.isIdentifier(node) && metrics.has(node.text)) return metrics.get(node.text);
    if (ts.isBinaryExpression(node)) {
      const operate = operations[node.operatorToken.kind];
      if (operate === undefined) throw unknown(expression);
      const [left, right] = [pointOf(node.left), pointOf(node.right)];
      return left === undefined || right === undefined ? undefined : finite(operate(left, right));
    }
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression))
      return call(node.expression.text, node);
    throw unknown(expression);
  }

  function call(name: string, { arguments: [first, second, third] }: ts.CallExpression): Point {
    if (name === "SUM" && first !== undefined && ts.isArrayLiteralExpression(first)) {
      const present = first.elements.map(pointOf).filter((point) => point !== undefined);
      return present.length === 0 ? undefined : present.reduce((sum, point) => sum + point, 0);
    }
    if (first === undefined || second === undefined) throw unknown(expression);
    if (name === "FILL") return pointOf(first) ?? pointOf(second);
    if (name !== "IF" || third === undefined) throw unknown(expression);
    const condition = pointOf(first);
    return condition === undefined ? undefined : pointOf(condition === 0 ? third : second);
  }
}

/** A division by zero is no data point. */
function finite(value: number): Point {
  return Number.isFinite(value) ? value : undefined;
}

function unknown(expression: string): Error {
  return new Error(`the evaluator does not know all of: ${expression}`);
}
