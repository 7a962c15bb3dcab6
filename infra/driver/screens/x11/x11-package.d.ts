declare module "x11" {
  /** Returning true keeps a failed request's error from being emitted by the client as well. */
  export type Reply<Result> = (error: Error | null | undefined, result: Result) => boolean;
  type Listener = (event: XEvent) => void;

  export interface XEvent {
    readonly type: number;
    readonly name?: string;
    readonly message_type?: number;
    readonly data?: readonly number[];
    readonly wid?: number;
    readonly wid1?: number;
    readonly width?: number;
    readonly height?: number;
    readonly subtype?: number;
    readonly selection?: number;
    readonly property?: number;
    readonly requestor?: number;
    readonly atom?: number;
    readonly state?: number;
    readonly xkbType?: number;
  }

  interface Rectangle {
    readonly x: number;
    readonly y: number;
    readonly width: number;
    readonly height: number;
  }

  export interface Property {
    readonly type: number;
    readonly bytesAfter: number;
    readonly data: Buffer;
  }

  export interface Xtest {
    readonly KeyPress: 2;
    readonly KeyRelease: 3;
    readonly ButtonPress: 4;
    readonly ButtonRelease: 5;
    readonly MotionNotify: 6;
    FakeInput(type: number, detail: number, time: number, window: number, x: number, y: number): void;
  }

  export interface Xkb {
    readonly majorOpcode: number;
    readonly firstEvent: number;
    readonly UseCoreKbd: number;
    readonly EventType: { readonly NewKeyboardNotify: number; readonly MapNotify: number };
    SelectEvents(
      device: number,
      affectWhich: number,
      clear: number,
      selectAll: number,
      affectMap: number,
      map: number,
    ): void;
    GetState(
      device: number,
      reply: Reply<{ readonly group: number; readonly lockedMods: number; readonly latchedMods: number }>,
    ): void;
    LatchLockState(
      device: number,
      affectModLocks: number,
      modLocks: number,
      lockGroup: boolean,
      groupLock: number,
      affectModLatches: number,
      modLatches: number,
      latchGroup: boolean,
      groupLatch: number,
    ): void;
  }

  export interface Randr {
    readonly NotifyMask: { readonly ScreenChange: number; readonly CrtcChange: number };
    SelectInput(window: number, mask: number): void;
    GetScreenResourcesCurrent(
      window: number,
      reply: Reply<{ readonly crtcs: readonly number[]; readonly config_timestamp: number }>,
    ): void;
    GetCrtcInfo(
      crtc: number,
      configTimestamp: number,
      reply: Reply<Rectangle & { readonly mode: number }>,
    ): void;
  }

  export interface Fixes {
    SelectSelectionInput(window: number, selection: number, mask: number): void;
    GetCursorImage(
      reply: Reply<
        Rectangle & { readonly xhot: number; readonly yhot: number; readonly cursorImage: Buffer }
      >,
    ): void;
  }

  export interface Damage {
    readonly ReportLevel: { readonly NonEmpty: number };
    Create(damage: number, drawable: number, level: number): void;
    Subtract(damage: number, repair: number, parts: number): void;
    Destroy(damage: number): void;
  }

  export interface ShmSegment {
    readonly size: number;
    readonly buffer: Buffer;
    getImage(
      drawable: number,
      x: number,
      y: number,
      width: number,
      height: number,
      planes: number,
      format: number,
      offset: number,
      reply: Reply<{ readonly size: number }>,
    ): void;
    detach(): void;
  }

  export interface Shm {
    usable(reply: Reply<boolean>): void;
    createSegment(bytes: number, reply: Reply<ShmSegment>): void;
  }

  interface Resources {
    QueryClientIds(
      specs: readonly { readonly client: number; readonly mask: number }[],
      reply: Reply<readonly { readonly value: readonly number[] }[]>,
    ): void;
  }

  export interface Extensions {
    readonly xtest: Xtest;
    readonly xkb: Xkb;
    readonly randr: Randr;
    readonly fixes: Fixes;
    readonly damage: Damage;
    readonly res: Resources;
    readonly shm: Shm;
  }

  export interface XClient {
    require<Name extends keyof Extensions>(name: Name, reply: Reply<Extensions[Name]>): void;
    on(event: "error", listener: (error: Error) => void): void;
    on(event: "end", listener: () => void): void;
    on(event: "event", listener: Listener): void;
    off(event: "event", listener: Listener): void;
    atoms: Readonly<Record<string, number>>;
    terminate(): void;
    readonly stream?: { destroy(): void; on(event: "close", listener: () => void): void };
    AllocID(): number;
    ReleaseID(id: number): void;
    InternAtom(onlyIfExists: boolean, name: string, reply: Reply<number>): void;
    GetInputFocus(reply: Reply<{ readonly focus: number }>): void;
    QueryTree(
      window: number,
      reply: Reply<{ readonly parent: number; readonly children: readonly number[] }>,
    ): void;
    GetWindowAttributes(
      window: number,
      reply: Reply<{ readonly mapState: number; readonly overrideRedirect: number }>,
    ): void;
    RaiseWindow(window: number): void;
    SetInputFocus(window: number, revertTo: number): void;
    QueryPointer(
      window: number,
      reply: Reply<{ readonly rootX: number; readonly rootY: number; readonly child: number }>,
    ): void;
    QueryKeymap(reply: Reply<Buffer>): void;
    GetModifierMapping(reply: Reply<readonly (readonly number[])[]>): void;
    GetImage(
      format: number,
      drawable: number,
      x: number,
      y: number,
      width: number,
      height: number,
      planes: number,
      reply: Reply<{ readonly data: Buffer }>,
    ): void;
    CreateWindow(
      id: number,
      parent: number,
      x: number,
      y: number,
      width: number,
      height: number,
      border: number,
      depth: number,
      windowClass: number,
      visual: number,
      values: { readonly eventMask?: number },
    ): void;
    ChangeWindowAttributes(window: number, values: { readonly eventMask: number }): void;
    GetProperty(
      remove: number,
      window: number,
      property: number,
      type: number,
      offset: number,
      length: number,
      reply: Reply<Property>,
    ): void;
    ChangeProperty(
      mode: number,
      window: number,
      property: number,
      type: number,
      bits: number,
      data: readonly number[] | Buffer,
    ): void;
    DeleteProperty(window: number, property: number): void;
    ConvertSelection(requestor: number, selection: number, target: number, property: number): void;
    GetSelectionOwner(selection: number, reply: Reply<number>): void;
    SendClientMessage(
      destination: number,
      window: number,
      type: number,
      bits: number,
      data: readonly number[],
      eventMask: number,
    ): void;
    /** The package's own extensions send requests by these: sequence number, bytes, reader of the reply. */
    seq_num: number;
    readonly pack_stream: { put(request: Buffer): void; submit(expectsReply?: boolean): void };
    readonly replies: Record<number, readonly [(reply: Buffer) => unknown, Reply<never>]>;
  }

  export interface XScreen {
    readonly root: number;
    readonly root_depth: number;
    readonly root_visual: number;
    readonly pixel_width: number;
    readonly pixel_height: number;
    readonly depths: Readonly<
      Record<
        number,
        Readonly<Record<number, Readonly<Record<"red_mask" | "green_mask" | "blue_mask", number>>>>
      >
    >;
  }

  export interface XDisplay {
    readonly client: XClient;
    readonly screen: readonly XScreen[];
    readonly format: Readonly<
      Record<number, { readonly bits_per_pixel: number; readonly scanline_pad: number }>
    >;
    readonly image_byte_order: number;
    readonly min_keycode: number;
    readonly max_keycode: number;
  }

  const x11: {
    createClient(
      options: { readonly display: string; readonly bufferRequests?: boolean },
      ready: (error: Error | undefined, display: XDisplay) => void,
    ): XClient;
    parseDisplay(display: string): { readonly screenNum: number | string };
    readonly eventMask: Readonly<
      Record<"StructureNotify" | "SubstructureNotify" | "SubstructureRedirect" | "PropertyChange", number>
    >;
    readonly keySyms: Readonly<Record<string, number>>;
  };
  export default x11;
}
