import "../../../shared/page/tokens.css";
import "./styles/page.css";
import "./styles/parts.css";
import { type ComponentChild, render } from "preact";
import { isPassing, sentenceOf } from "./data/say-failure.ts";
import { Failure } from "./parts/failure.tsx";
import { enter, ofKey, signInWith } from "./shell/enter.ts";
import { renewIfDue } from "./shell/renewal.ts";
import { startRouter } from "./shell/router.ts";
import { endedSentence, keptCredentials, keptRenewal, session, signOut } from "./shell/session.ts";
import { readSettings } from "./shell/settings.ts";
import { Shell } from "./shell/shell.tsx";
import { startTheme } from "./shell/theme.ts";

const againMs = 5_000;

const root = document.querySelector("#console") ?? document.body;

/** Preact keeps what it has not drawn, such as the line that the page loads. */
let isEmptied = false;
function show(page: ComponentChild): void {
  if (!isEmptied) root.replaceChildren();
  isEmptied = true;
  render(page, root);
}

/** A service that is away keeps nobody signed out. */
async function resume(credentials: string): Promise<void> {
  for (;;) {
    try {
      return await signInWith({ ...ofKey(credentials), ...keptRenewal() });
    } catch (failure) {
      if (!isPassing(failure)) return signOut(endedSentence);
      show(
        <main>
          <Failure error={failure} />
        </main>,
      );
    }
    await new Promise((resolve) => setTimeout(resolve, againMs));
  }
}

async function start(): Promise<void> {
  const settings = readSettings();
  try {
    if ((await enter(settings)) === "away") return;
    if (settings.signIn !== null) await renewIfDue(settings.signIn);
    const credentials = keptCredentials();
    if (session.get() === undefined && credentials !== undefined) await resume(credentials);
  } catch (failure) {
    signOut(sentenceOf(failure));
  }
  show(<Shell settings={settings} />);
}

startTheme();
startRouter();
await start();
