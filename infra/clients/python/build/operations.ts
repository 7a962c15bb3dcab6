import { calledOperations } from "../../../../shared/contract/operations/called-operations.ts";
import { referredName, type Schema } from "../../../openapi/schema-tree.ts";
import type { ClientModel, ModelledOperation } from "../../models/client-model.ts";
import { methodNameOf } from "../names.ts";

/** The module with a method for each operation, and one more for each list, which goes through its pages. */
export function asyncOperations({ operations }: ClientModel): string {
  return `"""A method for each operation of the API."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Unpack

from . import models
from ._async_sender import AsyncSender
from ._requests import FormBody, segment


class AsyncOperations(AsyncSender):
${operations.flatMap((each) => (each.item === undefined ? [methodOf(each)] : [methodOf(each), iteratorOf(each)])).join("\n")}`;
}

function methodOf(modelled: ModelledOperation): string {
  const { operation, body, takesForm, query, result } = modelled;
  const isWrite = operation.method !== "GET";
  const argumentsOf = [
    "self",
    ...pathArguments(modelled),
    ...(body ? [`body: models.${body.type}${body.isRequired ? "" : " | None = None"}`] : []),
    ...(takesForm ? ["form: FormBody"] : []),
    ...(isWrite ? ["*", "idempotency_key: str | None = None"] : []),
    ...(operation.takesIfMatch === true ? ["if_match: str | None = None"] : []),
    ...(query ? [`**query: Unpack[models.${query.type}]`] : []),
  ];
  const given = [
    JSON.stringify(operation.method),
    addressOf(operation.path),
    ...(query ? ["query=query"] : []),
    ...(body ? ["body=body"] : []),
    ...(takesForm ? ["form=form"] : []),
    ...(isWrite ? ["idempotency_key=idempotency_key"] : []),
    ...(operation.takesIfMatch === true ? ["if_match=if_match"] : []),
  ];
  const type = result === "bytes" ? "bytes" : result === undefined ? undefined : `models.${result.type}`;
  const called = `await self._call(${given.join(", ")})`;
  return [
    `    async def ${methodNameOf(operation.id)}(${argumentsOf.join(", ")}) -> ${type ?? "None"}:`,
    documented(modelled.text),
    ...(type === undefined
      ? [`        ${called}`]
      : [`        result: ${type} = ${called}`, "        return result"]),
    "",
  ].join("\n");
}

function iteratorOf(modelled: ModelledOperation): string {
  const { operation, query, item } = modelled;
  const argumentsOf = [
    "self",
    ...pathArguments(modelled),
    ...(query ? [`**query: Unpack[models.${query.type}]`] : []),
  ];
  const by = JSON.stringify(calledOperations[operation.id]?.pages);
  const text = `As ${methodNameOf(operation.id)}, page after page: its items until you stop or they end. \`limit\` is the size of a page.`;
  return [
    `    def ${methodNameOf(operation.id).replace("list_", "iter_")}(${argumentsOf.join(", ")}) -> AsyncIterator[models.${item}]:`,
    documented(text),
    `        return self._each(${addressOf(operation.path)}, ${by}, ${query ? "query" : "{}"})`,
    "",
  ].join("\n");
}

function pathArguments({ path }: ModelledOperation): readonly string[] {
  return path.map(({ name, schema }) => `${name}: ${scalarOf(schema)}`);
}

function scalarOf(schema: Schema): string {
  const name = referredName(schema);
  if (name !== undefined) return `models.${name}`;
  return schema.type === "integer" ? "int" : "str";
}

function addressOf(path: string): string {
  return path.includes("{") ? `f"${path.replaceAll(/\{(\w+)\}/g, "{segment($1)}")}"` : `"${path}"`;
}

function documented(text: string): string {
  const lines = text.replaceAll("\\", "\\\\").replaceAll('"""', "'''").split("\n");
  return ['        """', ...lines.map((line) => (line === "" ? "" : `        ${line}`)), '        """'].join(
    "\n",
  );
}
