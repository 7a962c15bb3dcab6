import { useEffect, useMemo } from "preact/hooks";
import type { ConsoleSettings } from "../../../../shared/contract/console.ts";
import { liveState, openLive } from "../data/open-live.ts";
import { clientOf, fetchWith, type Service, ServiceContext } from "../data/service.ts";
import { Button } from "../parts/button.tsx";
import { ConfirmHost } from "../parts/confirm.tsx";
import { LastWrite } from "../parts/last-write.tsx";
import { Toasts } from "../parts/toasts.tsx";
import { Navigation } from "./navigation.tsx";
import { pageTitle } from "./page-title.ts";
import { startRenewal } from "./renewal.ts";
import { SectionPage } from "./section-page.tsx";
import { endedSentence, type Session, session, signOut } from "./session.ts";
import { SignIn } from "./sign-in.tsx";
import { useStore } from "./store.ts";
import { nextTheme, theme } from "./theme.ts";

interface ShellProps {
  readonly settings: ConsoleSettings;
}

export function Shell({ settings }: ShellProps) {
  const current = useStore(session);
  const title = useStore(pageTitle);
  return (
    <>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <div class="announced" aria-live="polite">
        {title}
      </div>
      {current === undefined ? (
        <SignIn signIn={settings.signIn} />
      ) : (
        <SignedIn key={current.caller.user_id} current={current} settings={settings} />
      )}
      <ConfirmHost />
      <Toasts />
    </>
  );
}

function SignedIn({ current, settings }: ShellProps & { readonly current: Session }) {
  const { version, signIn } = settings;
  const { caller } = current;
  const service = useMemo<Service>(() => {
    const authorized = fetchWith(current.credentials, () => signOut(endedSentence));
    const live = openLive(authorized);
    return { caller: current.caller, client: clientOf(authorized), fetch: authorized, live };
  }, [current]);
  useEffect(() => () => service.live.stop(), [service]);
  useEffect(() => (signIn === null ? undefined : startRenewal(signIn)), [signIn]);
  return (
    <ServiceContext.Provider value={service}>
      <header class="top">
        <a class="home" href="/console">
          Console
        </a>
        <LiveMark />
        <span class="who" title={`Organization ${caller.organization_id}`}>
          {caller.organization_id}
        </span>
        <ThemeButton />
        <Button text="Sign out" class="small" onClick={signOut} />
      </header>
      <div class="body">
        <Navigation caller={caller} />
        <main id="main" tabIndex={-1}>
          <SectionPage />
          <LastWrite />
        </main>
      </div>
      <footer class="bottom">
        <a href="/docs">API reference</a> <small>release {version}</small>
      </footer>
    </ServiceContext.Provider>
  );
}

const liveWords = {
  idle: undefined,
  connecting: "connecting …",
  live: "live",
  polling: "every 5 s",
} as const;

function LiveMark() {
  const state = useStore(liveState);
  const words = liveWords[state];
  return words === undefined ? null : <span class={`live live-${state}`}>{words}</span>;
}

function ThemeButton() {
  const current = useStore(theme);
  return (
    <Button
      text={current === "system" ? "◐" : current === "light" ? "☀" : "☾"}
      class="small"
      aria-label={`Colours: ${current}. Change`}
      onClick={nextTheme}
    />
  );
}
