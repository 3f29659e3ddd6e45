import { Catch, HttpException, Logger, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { faultText } from '@warren/platform/errors/error.text';
import { Fault } from '@warren/platform/errors/fault';
import type { Request, Response } from 'express';
import { refusalScript } from './install.script.ts';

const NEXT = 'Open the console, choose Add device, and run the command that it shows.';
const NO_TOKEN = `this address needs an enrolment token, and there is none, or only a part of one. ${NEXT}`;
/** How the script ends, as the installer would (sysexits(3)). */
const [REFUSED, UNAVAILABLE] = [77, 69];
const RETRY_AFTER_S = 30;

/** Why there is no installer: for the person who reads it, and for what runs it. */
interface Refusal {
  text: string;
  exit: number;
  /** For an address without a token. */
  status: number;
  /** Seconds. */
  retryAfter?: number;
}

/**
 * Refuses to give the installer by a script that says why, and fails. The command that people run drops the body of an error (curl -f), and
 * its shell would end well, having read nothing: so these answers are no errors for HTTP. Only an address without any token, which no
 * console shows, has an error's status (decisions).
 */
@Catch()
export class InstallFilter implements ExceptionFilter {
  private readonly log = new Logger(InstallFilter.name);

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const [request, response] = [http.getRequest<Request>(), http.getResponse<Response>()];
    if (response.headersSent) return void response.destroy();
    const { text, exit, status, retryAfter } = this.refusal(error);
    if (retryAfter !== undefined) response.setHeader('Retry-After', String(retryAfter));
    response.setHeader('Cache-Control', 'no-store');
    response.status(request.query['token'] === undefined ? status : 200).type('text/x-shellscript');
    response.send(refusalScript([`warren: ${text}`], exit));
  }

  private refusal(error: unknown): Refusal {
    const code = error instanceof Fault ? error.code : undefined;
    if (code === 'unauthenticated') return { text: `${faultText(error as Fault)} ${NEXT}`, exit: REFUSED, status: 401 };
    if (code === 'invalid_argument' || (error instanceof HttpException && error.getStatus() < 500))
      return { text: NO_TOKEN, exit: REFUSED, status: 401 };
    if (code === 'resource_exhausted') {
      const { retryAfter = RETRY_AFTER_S } = error as Fault;
      return { text: faultText(error as Fault), exit: UNAVAILABLE, status: 429, retryAfter };
    }
    this.log.error({ err: error }, 'The installer could not be made.');
    const retryAfter = (error instanceof Fault ? error.retryAfter : undefined) ?? RETRY_AFTER_S;
    return {
      text: `the hub cannot install a device right now. Try again in ${retryAfter} seconds.`,
      exit: UNAVAILABLE,
      status: 503,
      retryAfter,
    };
  }
}
