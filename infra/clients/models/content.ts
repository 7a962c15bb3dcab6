import type { oas32 } from "zod-openapi";

type Content = Readonly<Record<string, oas32.MediaTypeObject>>;

/** Returns the forms that a body may have, by media type. @param holder is a request's body or a response. */
export function contentOf(holder: unknown): Content {
  return (holder as { readonly content?: Content } | undefined)?.content ?? {};
}

export function successContentOf({ responses = {} }: oas32.OperationObject): Content {
  return contentOf(Object.entries(responses).find(([status]) => /^2\d\d$/.test(status))?.[1]);
}
