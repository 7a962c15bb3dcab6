import { registerHooks } from "node:module";

/** The package uses the API of the compiler's version 5, which later versions lack. */
const hooks = registerHooks({
  resolve: (specifier, context, next) =>
    next(
      specifier === "typescript" && context.parentURL?.includes("/openapi-typescript/") === true
        ? "typescript-5"
        : specifier,
      context,
    ),
});
const { default: openapiTS, astToString } = await import("openapi-typescript");
hooks.deregister();

/** The types of `openapi-typescript`. */
export async function generateTypes(
  document: Parameters<typeof openapiTS>[0],
  options: Parameters<typeof openapiTS>[1] = {},
): Promise<string> {
  // The option is that of README.md: a field with a default need not be sent.
  return astToString(await openapiTS(document, { defaultNonNullable: false, ...options }));
}
