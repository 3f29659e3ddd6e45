import { Injectable } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';

/** The OpenAPI description of the running gateway; made when it is first asked for. */
@Injectable()
export class DocsService {
  private make: () => OpenAPIObject = () => {
    throw new Error('The API is described once the application has been set up.');
  };
  private made: OpenAPIObject | undefined;

  describe(make: () => OpenAPIObject): void {
    this.make = make;
  }

  get document(): OpenAPIObject {
    this.made ??= this.make();
    return this.made;
  }
}
