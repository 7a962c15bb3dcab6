export type Middleware = <Args, Output>(
  next: (args: Args) => Promise<Output>,
) => (args: Args) => Promise<Output>;

/** The part of the SDK's clients that all of them share. */
export interface MiddlewareClient {
  readonly middlewareStack: {
    add(
      middleware: Middleware,
      options: { readonly step: "deserialize"; readonly priority: "high" | "low"; readonly name: string },
    ): void;
  };
}
