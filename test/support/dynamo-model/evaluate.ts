import type { AttributeValue } from "@aws-sdk/client-dynamodb";
import {
  type Attributes,
  areEqual,
  compareValues,
  elementsOf,
  setOf,
  sizeOf,
  typeOf,
  ValidationException,
} from "./attribute-values.ts";
import type { Condition, Operand, Path, Update } from "./expression-syntax.ts";

export interface Placeholders {
  readonly names: Readonly<Record<string, string>>;
  readonly values: Attributes;
}

export function holds(condition: Condition, item: Attributes, given: Placeholders): boolean {
  const value = (operand: Operand) => operandValue(operand, item, given);
  switch (condition.is) {
    case "and":
      return holds(condition.left, item, given) && holds(condition.right, item, given);
    case "or":
      return holds(condition.left, item, given) || holds(condition.right, item, given);
    case "not":
      return !holds(condition.of, item, given);
    case "compare":
      return isSo(condition.by, value(condition.left), value(condition.right));
    case "between":
      return (
        isSo(">=", value(condition.of), value(condition.low)) &&
        isSo("<=", value(condition.of), value(condition.high))
      );
    case "in":
      return condition.among.some((one) => isSo("=", value(condition.of), value(one)));
    case "call":
      return answers(condition, item, given);
  }
}

function isSo(by: string, left: AttributeValue | undefined, right: AttributeValue | undefined): boolean {
  if (left === undefined || right === undefined) return by === "<>";
  if (by === "=") return areEqual(left, right);
  if (by === "<>") return !areEqual(left, right);
  const order = compareValues(left, right);
  if (order === undefined) return false;
  if (by === "<") return order < 0;
  if (by === "<=") return order <= 0;
  return by === ">" ? order > 0 : order >= 0;
}

function answers(
  { name, given: operands }: Condition & { is: "call" },
  item: Attributes,
  given: Placeholders,
) {
  const [value, wanted] = operands.map((operand) => operandValue(operand, item, given));
  switch (name) {
    case "attribute_exists":
      return value !== undefined;
    case "attribute_not_exists":
      return value === undefined;
    case "begins_with":
      return value?.S !== undefined && wanted?.S !== undefined && value.S.startsWith(wanted.S);
    case "contains":
      return value !== undefined && wanted !== undefined && contains(value, wanted);
    case "attribute_type":
      return value !== undefined && typeOf(value) === wanted?.S;
    default:
      throw new ValidationException(`the model knows no condition ${name}(…)`);
  }
}

function contains(value: AttributeValue, wanted: AttributeValue): boolean {
  if (value.S !== undefined) return wanted.S !== undefined && value.S.includes(wanted.S);
  return (value.L ?? elementsOf(value) ?? []).some((element) => areEqual(element, wanted));
}

function operandValue(operand: Operand, item: Attributes, given: Placeholders): AttributeValue | undefined {
  switch (operand.is) {
    case "path":
      return at(operand.path, item, given);
    case "value":
      return valueNamed(operand.name, given);
    case "sum": {
      const [left, right] = [operand.left, operand.right].map((one) => operandValue(one, item, given)?.N);
      if (left === undefined || right === undefined) throw new ValidationException("a sum of no numbers");
      return {
        N: String(operand.sign === "+" ? Number(left) + Number(right) : Number(left) - Number(right)),
      };
    }
    case "call": {
      const [first, second] = operand.given.map((one) => operandValue(one, item, given));
      if (operand.name === "if_not_exists") return first ?? second;
      if (operand.name === "list_append") return { L: [...listOf(first), ...listOf(second)] };
      if (operand.name === "size") {
        const size = first && sizeOf(first);
        return size === undefined ? undefined : { N: String(size) };
      }
      throw new ValidationException(`the model knows no function ${operand.name}(…)`);
    }
  }
}

function listOf(value: AttributeValue | undefined): readonly AttributeValue[] {
  if (value?.L === undefined) throw new ValidationException("list_append takes two lists");
  return value.L;
}

function at(path: Path, item: Attributes, given: Placeholders): AttributeValue | undefined {
  const [first, ...rest] = path;
  let value = item[attributeNamed(String(first), given)];
  for (const step of rest) {
    value = typeof step === "number" ? value?.L?.[step] : value?.M?.[attributeNamed(step, given)];
  }
  return value;
}

export function attributeNamed(name: string, { names }: Placeholders): string {
  if (!name.startsWith("#")) return name;
  const attribute = names[name];
  if (attribute === undefined) throw new ValidationException(`nothing stands behind ${name}`);
  return attribute;
}

function valueNamed(name: string, { values }: Placeholders): AttributeValue {
  const value = values[name];
  if (value === undefined) throw new ValidationException(`nothing stands behind ${name}`);
  return value;
}

export function applied(update: Update, item: Attributes, given: Placeholders): Attributes {
  const after: Record<string, AttributeValue> = { ...item };
  const touched = new Set<string>();
  const touch = (name: string) => {
    const attribute = attributeNamed(name, given);
    if (touched.has(attribute)) throw new ValidationException(`${attribute} is changed twice`);
    if (attribute === "pk" || attribute === "sk") throw new ValidationException("a key cannot change");
    touched.add(attribute);
    return attribute;
  };
  for (const { name, to } of update.set) {
    const value = operandValue(to, item, given);
    if (value === undefined) throw new ValidationException(`${name} is set to what is not there`);
    after[touch(name)] = value;
  }
  for (const name of update.remove) delete after[touch(name)];
  for (const { name, by } of update.add) {
    const [attribute, change] = [touch(name), operandValue(by, item, given)];
    const before = item[attribute];
    if (change?.N !== undefined && (before === undefined || before.N !== undefined)) {
      after[attribute] = { N: String(Number(before?.N ?? 0) + Number(change.N)) };
      continue;
    }
    if (change === undefined || (before !== undefined && typeOf(before) !== typeOf(change))) {
      throw new ValidationException(`ADD of another type than ${attribute} has`);
    }
    const [had, gets] = [before ? (elementsOf(before) ?? []) : [], elementsOf(change) ?? []];
    const fresh = gets.filter((one) => !had.some((other) => areEqual(one, other)));
    after[attribute] = setOf(change, [...had, ...fresh]);
  }
  for (const { name, by } of update.delete) {
    const [attribute, change] = [touch(name), operandValue(by, item, given)];
    const before = item[attribute];
    if (before === undefined || change === undefined) continue;
    const gone = elementsOf(change) ?? [];
    const left = (elementsOf(before) ?? []).filter((one) => !gone.some((other) => areEqual(one, other)));
    if (left.length > 0) after[attribute] = setOf(before, left);
    else delete after[attribute];
  }
  return after;
}
