import x11 from "x11";
import { type DisplayConnection, wordsIn } from "../display-connection.ts";

export interface ProgramWindow {
  readonly id: number;
  /** The names are both parts of WM_CLASS, and the title. */
  readonly names: readonly string[];
  readonly pid: number | undefined;
}

const anyType = 0;
const wordsMax = 1_024;
const viewable = 2;
const pointerRoot = 1;
/** A window manager distinguishes a user's request from an application's. */
const fromUser = 2;
const atNoTime = 0;
const onlyTheOwner = 0;

/** Source: https://specifications.freedesktop.org/wm-spec/latest/ */
export class ProgramWindows {
  readonly #connection: DisplayConnection;

  constructor(connection: DisplayConnection) {
    this.#connection = connection;
  }

  /** The lowest window is first; minimized ones are included. */
  async all(): Promise<readonly ProgramWindow[]> {
    const ids = (await this.#isManaged()) ? await this.#managed() : await this.#shownOnRoot();
    const windows = await Promise.all(ids.map((id) => this.#unlessGone(() => this.#read(id))));
    return windows.filter((window) => window !== undefined);
  }

  /** The last window gets the keyboard. */
  async activate(windows: readonly ProgramWindow[]): Promise<void> {
    const { client, root } = this.#connection;
    const front = windows.at(-1);
    if (front === undefined) return;
    if (await this.#isManaged()) {
      const message = await this.#connection.atom("_NET_ACTIVE_WINDOW");
      const mask = x11.eventMask.SubstructureRedirect | x11.eventMask.SubstructureNotify;
      client.SendClientMessage(root, front.id, message, 32, [fromUser, atNoTime, 0], mask);
    } else {
      for (const { id } of windows) client.RaiseWindow(id);
      // Once it is closed, the window under the pointer has the keyboard, as before.
      client.SetInputFocus(front.id, pointerRoot);
    }
    await this.#connection.sync();
  }

  /** A window without a close button stays. */
  async requestClose({ id }: ProgramWindow): Promise<void> {
    const [protocols, deletion] = await Promise.all([
      this.#connection.atom("WM_PROTOCOLS"),
      this.#connection.atom("WM_DELETE_WINDOW"),
    ]);
    await this.#unlessGone(async () => {
      if (!(await this.#words(id, "WM_PROTOCOLS")).includes(deletion)) return;
      const { client } = this.#connection;
      client.SendClientMessage(id, id, protocols, 32, [deletion, atNoTime], onlyTheOwner);
      await this.#connection.sync();
    });
  }

  /** A window manager that ended may have left its lists, but not its own window. */
  async #isManaged(): Promise<boolean> {
    const check = "_NET_SUPPORTING_WM_CHECK";
    const [manager] = await this.#words(this.#connection.root, check);
    if (manager === undefined) return false;
    return (await this.#unlessGone(() => this.#words(manager, check)))?.[0] === manager;
  }

  async #managed(): Promise<readonly number[]> {
    const stacked = await this.#words(this.#connection.root, "_NET_CLIENT_LIST_STACKING");
    return stacked.length > 0 ? stacked : await this.#words(this.#connection.root, "_NET_CLIENT_LIST");
  }

  async #shownOnRoot(): Promise<readonly number[]> {
    const { client, root } = this.#connection;
    const { children } = await this.#connection.ask<{ readonly children: readonly number[] }>((reply) =>
      client.QueryTree(root, reply),
    );
    const shown = await Promise.all(children.map((id) => this.#unlessGone(() => this.#isShown(id))));
    return children.filter((_, at) => shown[at] === true);
  }

  /** Menus and tooltips are windows on the root, too, but not the window manager's. */
  async #isShown(id: number): Promise<boolean> {
    const { mapState, overrideRedirect } = await this.#connection.ask<{
      readonly mapState: number;
      readonly overrideRedirect: number;
    }>((reply) => this.#connection.client.GetWindowAttributes(id, reply));
    return mapState === viewable && overrideRedirect === 0;
  }

  async #read(id: number): Promise<ProgramWindow> {
    const [classes, title, oldTitle, pid] = await Promise.all([
      this.#property(id, "WM_CLASS"),
      this.#property(id, "_NET_WM_NAME"),
      this.#property(id, "WM_NAME"),
      this.#connection.pidOf(id),
    ]);
    const names = [
      ...classes.toString("latin1").split("\0"),
      title.toString() || oldTitle.toString("latin1"),
    ];
    return { id, names: names.filter((name) => name !== ""), pid };
  }

  async #words(window: number, name: string): Promise<readonly number[]> {
    return wordsIn(await this.#property(window, name));
  }

  async #property(window: number, name: string): Promise<Buffer> {
    return await this.#connection.property(window, await this.#connection.atom(name), anyType, wordsMax);
  }

  /** The server refuses requests about a window that has closed. */
  async #unlessGone<Result>(ask: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await ask();
    } catch (error) {
      if (!this.#connection.isOpen) throw error;
      return undefined;
    }
  }
}
