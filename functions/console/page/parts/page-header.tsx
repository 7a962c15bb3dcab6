import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { pageTitle } from "../shell/page-title.ts";

interface PageHeaderProps {
  readonly title: string;
  /** Leads to the list that an item is of. */
  readonly back?: { readonly href: string; readonly text: string };
  /** The page's buttons. */
  readonly children?: ComponentChildren;
}

/** The page's one heading and the tab's title; screen readers announce it, and it gets the focus. */
export function PageHeader({ title, back, children }: PageHeaderProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    pageTitle.set(title);
  }, [title]);
  useEffect(() => {
    // Loading the console leaves the focus where the browser puts it.
    if (document.activeElement === document.body || pageTitle.hasMoved) heading.current?.focus();
  }, []);
  return (
    <header class="page-header">
      {back === undefined ? null : (
        <a class="back" href={back.href}>
          ← {back.text}
        </a>
      )}
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      <div class="actions">{children}</div>
    </header>
  );
}
