export interface DemoApi {
  readonly baseUrl: string;
  readonly apiKey: string;
}

export async function askApi<Response>(
  api: DemoApi,
  method: "GET" | "PATCH" | "POST" | "PUT",
  path: string,
  body?: unknown,
): Promise<Response> {
  const response = await askRaw(api, method, path, body);
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Response;
}

export async function askRaw(
  { baseUrl, apiKey }: DemoApi,
  method: "GET" | "PATCH" | "POST" | "PUT",
  path: string,
  body?: unknown,
): Promise<Response> {
  return await fetch(`${baseUrl}${path}`, {
    method,
    headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}
