import { html } from "hono/html";

export type SignInForm = {
  /** The request to authorize, which the form repeats. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly problem?: string;
};

/** The page of the local issuer, which has one user. */
export async function signInPage({ parameters, problem }: SignInForm): Promise<string> {
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>Sign in · local stack</title>
        <link rel="icon" href="data:," />
      </head>
      <body>
        <main>
          <h1>Local stack</h1>
          ${problem === undefined ? "" : html`<p role="alert">${problem}</p>`}
          <form method="post" action="/authorize">
            ${Object.entries(parameters).map(
              ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
            )}
            <p>
              <label>
                Password of the user <strong>local</strong>
                <input name="password" type="password" autocomplete="off" required autofocus />
              </label>
              <small>npm start prints it.</small>
            </p>
            <button>Sign in</button>
          </form>
        </main>
      </body>
    </html>`;
  return String(await page);
}
