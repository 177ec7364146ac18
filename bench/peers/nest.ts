// NestJS on Fastify, with zod in a pipe, as the documentation of NestJS shows it. `pnpm run compile` compiles the decorators.
// oxlint-disable-next-line import/no-unassigned-import -- NestJS requires it first
import "reflect-metadata";
import {
  BadRequestException,
  Body,
  Controller,
  Get,
  HttpCode,
  Module,
  NotFoundException,
  Param,
  Post,
  Query,
  Res,
  UnauthorizedException,
  type CallHandler,
  type CanActivate,
  type ExecutionContext,
  type NestInterceptor,
  type PipeTransform,
} from "@nestjs/common";
import { NestFactory } from "@nestjs/core";
import { FastifyAdapter, type NestFastifyApplication } from "@nestjs/platform-fastify";
import type { FastifyReply, FastifyRequest } from "fastify";
import { tap } from "rxjs";
import type { z } from "zod";
import type { Pet } from "./catalogue.ts";
import type { Duties } from "./duties.ts";
import { listQuery, newPet, petParams } from "./schemas.ts";
import { catalogue, duties, port } from "./started-with.ts";

type Tracked = FastifyRequest & { keyId?: string };

class ZodValidationPipe implements PipeTransform {
  readonly #schema: z.ZodType;

  constructor(schema: z.ZodType) {
    this.#schema = schema;
  }

  transform(value: unknown): unknown {
    try {
      return this.#schema.parse(value);
    } catch {
      throw new BadRequestException("Validation failed");
    }
  }
}

class KeyGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Tracked>();
    const keyId = catalogue.authenticate(request.headers.authorization);
    if (keyId === undefined) throw new UnauthorizedException();
    request.keyId = keyId;
    return true;
  }
}

class DutiesInterceptor implements NestInterceptor {
  readonly #duties: Duties;

  constructor(performed: Duties) {
    this.#duties = performed;
  }

  intercept(context: ExecutionContext, next: CallHandler) {
    const http = context.switchToHttp();
    const { headers, method, routeOptions, keyId } = http.getRequest<Tracked>();
    const reply = http.getResponse<FastifyReply>();
    const begun = this.#duties.begin(headers["x-request-id"]);
    reply.headers(this.#duties.headersOf(begun));
    return next
      .handle()
      .pipe(tap(() => this.#duties.end(begun, { method, route: routeOptions.url, status: reply.statusCode, keyId })));
  }
}

@Controller("v1/pets")
class PetsController {
  @Get()
  list(
    @Query(new ZodValidationPipe(listQuery)) query: z.infer<typeof listQuery>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Pet[] {
    const found = catalogue.listPets(query);
    if (found.link !== undefined) reply.header("Link", found.link);
    return found.pets;
  }

  @Post()
  @HttpCode(201)
  create(@Body(new ZodValidationPipe(newPet)) body: z.infer<typeof newPet>): Pet {
    return catalogue.createPet(body);
  }

  @Get(":petId")
  get(@Param(new ZodValidationPipe(petParams)) { petId }: z.infer<typeof petParams>): Pet {
    const found = catalogue.getPet(petId);
    if (found === undefined) throw new NotFoundException();
    return found;
  }
}

@Module({ controllers: [PetsController] })
// oxlint-disable-next-line typescript/no-extraneous-class -- a module has nothing but its decorator
class AppModule {}

const app = await NestFactory.create<NestFastifyApplication>(AppModule, new FastifyAdapter(), { logger: false });
app.useGlobalGuards(new KeyGuard());
if (duties) app.useGlobalInterceptors(new DutiesInterceptor(duties));
await app.listen(port, "127.0.0.1");
