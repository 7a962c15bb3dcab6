import type * as z from "zod";
import type { InvalidItem } from "../../domain/invalid-input.ts";

type Issue = Exclude<
  z.core.$ZodIssue,
  { code: "unrecognized_keys" | "invalid_key" | "invalid_element" | "invalid_union" }
>;

type Words = Pick<InvalidItem, "msg" | "type" | "ctx">;

/**
 * Source: https://docs.pydantic.dev/latest/errors/validation_errors/
 *
 * @param isText is true for a query string, for which pydantic says `…_parsing` instead of `…_type`.
 */
export function describeIssue(issue: Issue, value: unknown, isText: boolean): Words {
  switch (issue.code) {
    case "invalid_type":
      return wrongType(issue.expected, value, isText);
    case "invalid_value":
      return notAllowed(issue.values);
    case "invalid_format":
      return wrongFormat(issue, value);
    case "too_small":
      return outOfBounds("min", Number(issue.minimum), issue, value);
    case "too_big":
      return outOfBounds("max", Number(issue.maximum), issue, value);
    case "not_multiple_of":
      return {
        msg: `Input should be a multiple of ${issue.divisor}`,
        type: "multiple_of",
        ctx: { multiple_of: issue.divisor },
      };
    case "custom":
      return custom(issue.message, issue.params);
  }
}

function wrongType(expected: string, value: unknown, isText: boolean): Words {
  if ((expected === "number" || expected === "int") && typeof value === "number" && !Number.isFinite(value)) {
    return { msg: "Input should be a finite number", type: "finite_number" };
  }
  switch (expected) {
    case "int":
      if (isText) {
        return {
          msg: "Input should be a valid integer, unable to parse string as an integer",
          type: "int_parsing",
        };
      }
      return typeof value === "number"
        ? {
            msg: "Input should be a valid integer, got a number with a fractional part",
            type: "int_from_float",
          }
        : { msg: "Input should be a valid integer", type: "int_type" };
    case "number":
      return isText
        ? {
            msg: "Input should be a valid number, unable to parse string as a number",
            type: "float_parsing",
          }
        : { msg: "Input should be a valid number", type: "float_type" };
    case "string":
      return { msg: "Input should be a valid string", type: "string_type" };
    case "boolean":
      return { msg: "Input should be a valid boolean", type: "bool_type" };
    case "array":
      return { msg: "Input should be a valid list", type: "list_type" };
    default:
      return { msg: "Input should be a valid dictionary", type: "dict_type" };
  }
}

function notAllowed(values: readonly unknown[]): Words {
  const quoted = values.map((value) => `'${String(value)}'`);
  const last = quoted.at(-1) ?? "";
  const expected = quoted.length > 1 ? `${quoted.slice(0, -1).join(", ")} or ${last}` : last;
  return {
    msg: `Input should be ${expected}`,
    type: quoted.length > 1 ? "enum" : "literal_error",
    ctx: { expected },
  };
}

function wrongFormat(issue: Extract<Issue, { code: "invalid_format" }>, value: unknown): Words {
  switch (issue.format) {
    case "uuid":
    case "guid": {
      const error = "32 hexadecimal digits in groups of 8, 4, 4, 4 and 12, joined by hyphens";
      return {
        msg: `Input should be a valid UUID, ${error}`,
        type: "uuid_parsing",
        ctx: { error },
      };
    }
    case "datetime":
      return typeof value === "string" && /^\d{4}-\d\d-\d\d[T ][\d:.]+$/.test(value)
        ? { msg: "Input should have timezone info", type: "timezone_aware" }
        : {
            msg: "Input should be a valid datetime, such as 2026-01-31T09:30:00Z",
            type: "datetime_parsing",
          };
    case "base64":
      return { msg: "Input should be valid base64", type: "bytes_invalid_encoding" };
    default: {
      // A schema that says it in words does so as pydantic would; zod's own words differ from bundle to bundle.
      const isSaid = issue.message.startsWith("String should ");
      const msg = isSaid ? issue.message : `String should match pattern '${issue.pattern}'`;
      return { msg, type: "string_pattern_mismatch" };
    }
  }
}

function items(count: number, one: string): string {
  return `${count} ${one}${count === 1 ? "" : "s"}`;
}

const ends = {
  min: { phrase: "at least", size: "short", relation: "greater", letter: "g" },
  max: { phrase: "at most", size: "long", relation: "less", letter: "l" },
} as const;

function outOfBounds(
  end: keyof typeof ends,
  limit: number,
  { origin, inclusive }: { readonly origin: string; readonly inclusive?: boolean | undefined },
  value: unknown,
): Words {
  const { phrase, size, relation, letter } = ends[end];
  if (origin === "string") {
    return {
      msg: `String should have ${phrase} ${items(limit, "character")}`,
      type: `string_too_${size}`,
      ctx: { [`${end}_length`]: limit },
    };
  }
  if (origin === "array" || origin === "set" || origin === "map") {
    const actual = Array.isArray(value) ? value.length : 0;
    return {
      msg: `List should have ${phrase} ${items(limit, "item")} after validation, not ${actual}`,
      type: `too_${size}`,
      ctx: { field_type: "List", [`${end}_length`]: limit, actual_length: actual },
    };
  }
  return inclusive === false
    ? {
        msg: `Input should be ${relation} than ${limit}`,
        type: `${relation}_than`,
        ctx: { [`${letter}t`]: limit },
      }
    : {
        msg: `Input should be ${relation} than or equal to ${limit}`,
        type: `${relation}_than_equal`,
        ctx: { [`${letter}e`]: limit },
      };
}

/** A schema's own rule has its words in `params: {type, ctx}` and the message. */
function custom(message: string, params: Readonly<Record<string, unknown>> | undefined): Words {
  const { type: givenType, ctx } = params ?? {};
  const type = typeof givenType === "string" ? givenType : "value_error";
  const words =
    type === "value_error" && !message.startsWith("Value error, ") ? `Value error, ${message}` : message;
  return {
    msg: words,
    type,
    ...(ctx !== null && typeof ctx === "object" ? { ctx: ctx as Record<string, unknown> } : {}),
  };
}
