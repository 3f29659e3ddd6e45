/** The used part of noVNC 1.7 (its docs/API.md). */
declare module '@novnc/novnc' {
  interface RfbEvents {
    connect: CustomEvent<object>;
    disconnect: CustomEvent<{ clean: boolean }>;
    credentialsrequired: CustomEvent<{ types: string[] }>;
    securityfailure: CustomEvent<{ status: number; reason?: string }>;
    serververification: CustomEvent<{ type: string; publickey: Uint8Array<ArrayBuffer> }>;
    clipboard: CustomEvent<{ text: string }>;
    desktopname: CustomEvent<{ name: string }>;
  }

  export default class RFB {
    constructor(
      target: HTMLElement,
      channel: object,
      options?: { shared?: boolean; credentials?: Partial<Record<'username' | 'password' | 'target', string>> },
    );
    qualityLevel: number;
    compressionLevel: number;
    scaleViewport: boolean;
    resizeSession: boolean;
    clipViewport: boolean;
    dragViewport: boolean;
    viewOnly: boolean;
    background: string;
    addEventListener<Name extends keyof RfbEvents>(name: Name, listener: (event: RfbEvents[Name]) => void): void;
    approveServer(): void;
    sendCredentials(credentials: Partial<Record<'username' | 'password' | 'target', string>>): void;
    sendKey(keysym: number, code: string | null, down?: boolean): void;
    clipboardPasteFrom(text: string): void;
    disconnect(): void;
    focus(options?: FocusOptions): void;
    blur(): void;
    /** Images that are decoded are drawn, and what follows them, in their order. */
    protected readonly _display: { pending(): boolean; flush(): Promise<void> };
    /** Called on a failure; returns false. */
    protected _fail(details: string): boolean;
  }
}
