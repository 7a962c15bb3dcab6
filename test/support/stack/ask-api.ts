import type { SpawnedStack } from "./spawn-stack.ts";

export async function askApi<Body>(
  { baseUrl, apiKey }: Pick<SpawnedStack, "baseUrl" | "apiKey">,
  path: string,
  method = "GET",
  body?: object,
): Promise<Body> {
  const response = await fetch(`${baseUrl}${path}`, {
    method,
    headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} returned ${response.status} ${text}`);
  return (text === "" ? undefined : JSON.parse(text)) as Body;
}
