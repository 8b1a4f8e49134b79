/*! AiSHA, Apache-2.0; with lit, marked, DOMPurify, eventsource-parser: NOTICES.txt */
import{A as e,B as s,C as t,D as i,F as a,G as n,H as r,I as o,J as l,a as h,b as d,c,d as p,e as u,f as m,g,h as y,i as v,j as b,k as f,l as w,m as $,n as k,o as x,p as z,q as _,r as C,s as E,u as A,v as R,w as S,x as B,y as L,z as O}from"./parts/chunk-RVLASQEM.js";import{a as U}from"./parts/chunk-DHP5BHIK.js";var M=class extends p{constructor(){super(...arguments),this.earlier=[],this.placeholder="",this.heard="",this.editing="",this.busy=!1,this.listening=!1,this.voice=!1,this.planning=!1,this.calls=!1,this.text="",this.recalled=-1,this.draft=null}fill(e){this.text=e,this.area.value=e,this.fit()}edit(e){this.draft??=this.text,this.fill(e),this.area.focus(),this.area.setSelectionRange(e.length,e.length)}updated(e){e.has("editing")&&!this.editing&&null!==this.draft&&(this.fill(this.draft),this.draft=null),this.listening&&this.area.value!==this.heard&&(this.area.value=this.heard,this.fit())}render(){let{words:e}=this,s=this.text.length-8e3;return d`${this.editing?this.change():c}
<div class="box ${this.listening?"listening":""}">
<textarea
rows="1"
dir="auto"
enterkeyhint="send"
aria-label=${e.say("message_box")}
aria-describedby="hint editing"
placeholder=${this.listening?e.say("placeholder_listening"):this.placeholder}
?readonly=${this.listening}
@input=${this.typed}
@keydown=${this.pressed}
></textarea>
<span id="hint" class="hidden-text">${e.say("keys_hint")}</span>
${this.plan()} ${this.voice?this.microphone():c} ${this.calls&&!this.text?this.call():c}
${this.busy?d`<button
class="icon-button send"
aria-label=${e.say("stop")}
title=${e.say("stop")}
@click=${this.stop}
>
${x("stop",16)}
</button>`:d`<button
class="icon-button send"
aria-label=${e.say("send")}
title=${e.say("send")}
?disabled=${!this.text.trim()||s>0||this.listening}
@click=${this.send}
>
${x("send")}
</button>`}
</div>
${s>0?d`<p class="problem" role="alert">${e.say("too_long",{count:e.number(s)})}</p>`:c}`}change(){let e=this.words.say("stop_editing");return d`<div class="editing">
${x("edit",15)}
<span id="editing">${this.editing}</span>
<button class="icon-button small" aria-label=${e} title=${e} @click=${this.leave}>
${x("close",15)}
</button>
</div>`}call(){let e=this.words.say("call");return d`<button
class="icon-button"
aria-label=${e}
title=${e}
?disabled=${this.busy||this.listening}
@click=${()=>this.tell("call")}
>
${x("call")}
</button>`}plan(){let e=this.words.say("plan_first");return d`<button
class="icon-button plan"
aria-label=${e}
title="${e}: ${this.words.say("plan_about")}"
aria-pressed=${this.planning}
@click=${()=>this.tell("plan")}
>
${x("plan")}
</button>`}microphone(){let e=this.words.say(this.listening?"talking":"talk");return d`<button
class="icon-button mic"
aria-label=${e}
title=${e}
aria-pressed=${this.listening}
?disabled=${this.busy}
@pointerdown=${e=>0===e.button&&this.tell("talk")}
@pointerup=${()=>this.tell("release")}
@pointercancel=${()=>this.tell("release")}
@lostpointercapture=${()=>this.listening&&this.tell("release")}
@keydown=${e=>q(e)&&!e.repeat&&this.tell("talk")}
@keyup=${e=>q(e)&&this.tell("release")}
@contextmenu=${e=>e.preventDefault()}
>
${x("mic")}
</button>`}typed(){this.text=this.area.value,this.recalled=-1,this.fit()}pressed(e){e.isComposing||("Enter"!==e.key||e.shiftKey||e.altKey?"Escape"===e.key&&this.editing?this.leave():("ArrowUp"===e.key&&!this.text||this.recalled>=0&&/^Arrow(Up|Down)$/.test(e.key))&&this.recall(e):(e.preventDefault(),this.send()))}recall(e){let s=this.recalled+("ArrowUp"===e.key?1:-1);s>=this.earlier.length||(e.preventDefault(),this.fill(s<0?"":this.earlier[s]),this.recalled=s,this.area.setSelectionRange(this.text.length,this.text.length))}send(){let e=this.text.trim();!e||this.busy||e.length>8e3||(this.fill(""),this.recalled=-1,this.tell("send",e))}leave(){this.tell("cancel"),this.area.focus()}stop(){this.tell("stop"),this.area.focus()}fit(){this.area.style.height="auto",this.area.style.height=`${Math.min(this.area.scrollHeight,180)}px`}tell(e,s){this.dispatchEvent(new CustomEvent(e,{detail:s}))}};function q(e){return" "===e.key||"Enter"===e.key}M.shadowRootOptions={...p.shadowRootOptions,delegatesFocus:!0},M.styles=[C,h`:host{display:block;padding:var(--aisha-2) var(--aisha-4) var(--aisha-3)}.box{display:flex;align-items:flex-end;gap:var(--aisha-1);max-inline-size:760px;margin-inline:auto;padding:5px;background:var(--aisha-raised);border:1px solid var(--aisha-line-strong);border-radius:var(--aisha-radius-l)}.box:focus-within{border-color:var(--aisha-accent);box-shadow:0 0 0 1px var(--aisha-accent)}.box.listening{border-color:var(--aisha-danger)}textarea{flex:1;min-inline-size:0;min-block-size:36px;max-block-size:180px;padding:7px var(--aisha-2);line-height:22px;font-size:var(--aisha-text-m);resize:none;border:0;outline:0;background:none;scrollbar-width:thin;overflow-wrap:anywhere}textarea::placeholder{white-space:nowrap;overflow:hidden;text-overflow:ellipsis}@media(max-width:380px){textarea::placeholder{font-size:var(--aisha-text-s)}}textarea:focus-visible{outline:none}.send{background:var(--aisha-accent-fill);color:var(--aisha-on-accent);border-radius:11px}.send:hover:not(:disabled){background:var(--aisha-accent-fill);color:var(--aisha-on-accent);filter:brightness(1.1)}.send:disabled{background:var(--aisha-hover);color:var(--aisha-muted);opacity:1}.plan[aria-pressed=true]{background:var(--aisha-accent-soft);color:var(--aisha-accent)}.mic[aria-pressed=true]{background:var(--aisha-danger-fill);color:#fff}.editing{display:flex;align-items:center;gap:var(--aisha-2);max-inline-size:760px;margin:0 auto var(--aisha-1);padding-inline-start:var(--aisha-2);font-size:var(--aisha-text-s);color:var(--aisha-muted)}.editing svg{flex:none}.editing span{flex:1}.problem{max-inline-size:760px;margin:var(--aisha-1) auto 0;padding-inline:var(--aisha-2);font-size:var(--aisha-text-xs);color:var(--aisha-danger)}`],U([u({attribute:!1})],M.prototype,"words",2),U([u({attribute:!1})],M.prototype,"earlier",2),U([u()],M.prototype,"placeholder",2),U([u()],M.prototype,"heard",2),U([u()],M.prototype,"editing",2),U([u({type:Boolean})],M.prototype,"busy",2),U([u({type:Boolean})],M.prototype,"listening",2),U([u({type:Boolean})],M.prototype,"voice",2),U([u({type:Boolean})],M.prototype,"planning",2),U([u({type:Boolean})],M.prototype,"calls",2),U([m()],M.prototype,"text",2),U([g("textarea")],M.prototype,"area",2),M=U([k("aisha-composer")],M);var I="/api/ai/flow-chat",P=new Set([404,409,410]),T=class{constructor(e){this.host=e,this.id=null,this.title="",this.messages=[],this.entities=[],this.mood=null,this.phase="idle",this.isLoading=!1,this.loadError=null,this.running=null,this.sent=new Map}get pending(){let e=this.messages.findLast(e=>"assistant"===e.role);return e?.confirmation&&!e.decision?e:null}get spoken(){return this.messages.filter(e=>"user"===e.role).map(e=>e.text).reverse()}get editable(){let e=this.messages.at(-2);return"idle"===this.phase&&"user"===e?.role?e:null}isReplaceable(e){let{editable:s}=this;return s?.key===e&&(this.messages.at(-1)?.isReplaceable??!1)}async send(e,s=null){let t=e.trim();if(!t||"idle"!==this.phase)return;let i=null!==s&&this.isReplaceable(s)?this.messages.slice(-2):[],a=i[1]?.id,n=E({role:"assistant",state:"streaming"});this.settlePending(),this.messages=[...this.messages,E({role:"user",text:t}),n];let r=this.host.isPlanning()?I:"/api/ai/chat",o={...this.body(),message:t,...a?{replaces:a}:{}};await this.run(n.key,{path:r,body:o,key:w(),replaced:i})}async answerAgain(e){let{editable:s}=this;s&&this.messages.at(-1)?.key===e&&await this.send(s.text,s.key)}async retry(e){let s=this.sent.get(e);if(!s||"idle"!==this.phase)return;let t="invalid_input"===this.find(e)?.error?.code;this.patch(e,{state:"streaming",error:null,at:new Date}),s.asked&&this.patch(s.asked.key,{decision:s.body.userConfirmation?"approved":"rejected"}),await this.run(e,t?{...s,key:w()}:s)}stop(){this.running?.abort(new DOMException("stopped","AbortError"))}async decide(e,s,t=null){let i=this.find(e);if(!i?.confirmation||i.decision||"idle"!==this.phase)return;let{id:a}=i.confirmation,n=E({role:"assistant",state:"streaming"}),r="approve"===s;this.patch(e,{decision:r?"approved":"rejected",plan:O(i.confirmation,t),followUps:[]}),this.messages=[...this.messages,n],await this.run(n.key,{path:I,body:{...this.host.request(),userConfirmation:r,confirmationId:a,...null===t?{}:{choice:t}},key:`${a}:${s}:${F(t??"")}`,asked:i,replaced:[]})}async undo(e){let s=this.find(e);if(!s?.changes.length||s.undo)return;this.patch(e,{undo:"running"});let{rest:t}=this.host.api,i=[],a=null;try{let e=new Set(s.changes.map(e=>e.id)),n=(await f(t.GET("/api/crm/changes"))).items.filter(s=>s.isOwn&&s.operation&&e.has(s.entity.id)).reverse(),r=new Set(n.slice(0,s.changes.length).map(e=>e.operation));for(let e of r){let{receipts:s}=await f(t.POST("/api/ai/undo",{body:{operation:e},params:V(e)}));i.push(...s.map(({action:e,entity:s})=>({action:e,...s})))}i.length||(a=new y(404,"nothing_to_undo",""))}catch(e){a=v(e)}this.patch(e,{undo:a?null:"done"}),i.length&&this.host.recordsChanged(i);let n=E({role:"system",changes:i,error:a});this.messages=[...this.messages,n],this.host.changed(),this.host.answered(n)}takenBack(e){let s=this.messages.findLast(({role:s,undo:t,changes:i})=>"assistant"===s&&!t&&i.some(({id:s})=>e.includes(s)));if(!s)return;let{changes:t}=s;for(let s of e){let e=t.findLastIndex(e=>e.id===s);e>=0&&(t=t.toSpliced(e,1))}this.patch(s.key,{changes:t})}expire(e){this.find(e)?.decision||this.patch(e,{decision:"expired",followUps:[]})}clear(){this.stop(),this.sent.clear(),Object.assign(this,{id:null,title:"",messages:[],entities:[],mood:null,loadError:null}),this.host.kept(null),this.host.changed()}async open(e){this.stop(),this.sent.clear(),Object.assign(this,{id:e,title:"",messages:[],entities:[],mood:null,loadError:null,isLoading:!0}),this.host.changed();try{let s=await this.load(e);if(this.id!==e)return;this.title=s.title,this.entities=s.entities,this.messages=(e=>{let s=e.messages.filter(e=>"user"===e.role||"assistant"===e.role).map(j),t=s.at(-1);if(e.confirmation&&"assistant"===t?.role){let{confirmation:i,entities:a}=e;s[s.length-1]={...t,confirmation:i,plan:O(i),entities:a}}return s})(s),this.mood=this.messages.findLast(e=>e.mood)?.mood??null,this.host.kept(e)}catch(s){if(this.id!==e)return;let t=v(s);404===t.status?this.clear():this.loadError=t}finally{(this.id===e||null===this.id)&&(this.isLoading=!1),this.host.changed()}}patch(e,s){this.messages=this.messages.map(t=>t.key===e?{...t,...s}:t),this.host.changed()}find(e){return this.messages.find(s=>s.key===e)}body(){return{...this.host.request(),...this.id?{conversationId:this.id}:{}}}async run(e,s){this.sent.set(e,s),this.hide(s.replaced);let{signal:i}=this.begin();try{for await(let a of $(this.host.api,s.path,s.body,s.key,i)){"start"===a.type&&this.begun(a.messageMetadata.conversationId),this.followPlan(s,a);let[i,n]=t(this.find(e),a,performance.now());this.replace(i),this.take(n)}this.finish(e)}catch(t){i.aborted?(this.patch(e,{state:"stopped",...H(this.find(e))}),this.endPlan(s),this.showAgain(s.replaced,e)):this.fail(e,v(t),s)}finally{this.end()}let a=this.find(e)?.needs;a&&!i.aborted&&await this.answerNeeds(e,a,s)}async answerNeeds(e,s,t){if(t.body.attachedData)return;let i=await this.host.provide(s).catch(()=>null);if(!i?.attachedData||"idle"!==this.phase)return;let a={...t.body,...this.body(),...i,replaces:null};this.patch(e,{needs:null,text:"",state:"streaming"}),await this.run(e,{path:t.path,body:a,key:w(),replaced:[]})}followPlan({asked:s},t){let i=s&&this.find(s.key)?.plan;i&&this.patch(s.key,{plan:e(i,t)})}endPlan({asked:e}){let t=e&&this.find(e.key)?.plan;t&&this.patch(e.key,{plan:s(t)})}begin(){return this.running=new AbortController,this.phase="processing",this.host.changed(),this.running}end(){this.running=null,this.phase="idle",this.host.changed()}begun(e){this.id!==e&&(this.id=e,this.host.kept(e))}finish(e){let s=this.find(e);this.patch(e,{state:"done",at:new Date}),s.entities.length&&(this.entities=s.entities),s.mood&&(this.mood=s.mood),s.confirmation&&this.host.confirmationNeeded(s.confirmation),this.host.answered(this.find(e))}fail(e,s,t){let{asked:i}=t;if(this.patch(e,{state:"failed",error:s,...H(this.find(e))}),i){let e=P.has(s.status);this.patch(i.key,e?{decision:"settled"}:{decision:null,followUps:i.followUps}),this.endPlan(t)}this.showAgain(t.replaced,e),this.host.answered(this.find(e))}hide(e){let s=new Set(e.map(e=>e.key));this.messages=this.messages.filter(e=>!s.has(e.key))}showAgain(e,s){let t=this.messages.findIndex(e=>e.key===s)-1;this.messages=this.messages.toSpliced(t,0,...e)}take(e){e.changes.length&&this.host.recordsChanged(e.changes),e.navigation&&this.host.navigated(e.navigation)}replace(e){this.messages=this.messages.map(s=>s.key===e.key?e:s),this.host.changed()}settlePending(){let{pending:e}=this;e&&(this.messages=this.messages.map(s=>s===e?{...s,decision:"settled"}:s))}async load(e){let s,t;for(let i=0;i<20;i+=1){let i=await f(this.host.api.rest.GET("/api/ai/conversations/{id}",{params:{path:{id:e},query:{limit:50,...s?{cursor:s}:{}}}}));if(t=t?{...i,messages:[...t.messages,...i.messages]}:i,s=i.nextCursor??void 0,!s)break}return t}};function j(e){let s=e.metadata;return E({id:e.id,role:e.role,text:e.content,at:new Date(e.createdAt),state:e.finished?"done":"unfinished",isReplaceable:s?.isReplaceable??!1,steps:e.toolCalls.map(N),sources:s?.sources??[],insights:s?.insights??[],nextSteps:s?.nextSteps??[],recommendedScans:s?.recommendedScans??[],followUps:s?.followUps??[],mood:s?.mood??null,usage:s?D(s):null})}function D({provider:e,model:s,usage:t,timing:i}){return s&&t&&i?{provider:e??"",model:s,degraded:!1,usage:t,timing:i}:null}function N(e){return{id:e.id,tool:e.name,arguments:e.arguments??{},state:"executed"===e.status?"done":"pending"===e.status?"waiting":"failed",startedAt:0,durationMs:null,outcome:e.line}}function H(e){return e?{steps:i(e).steps}:{}}function V(e){return{header:{"Idempotency-Key":`undo:${e}`}}}function F(e){let s=0;for(let t of e)s=Math.imul(s,31)+t.codePointAt(0)|0;return(s>>>0).toString(36)}var G=class extends p{constructor(){super(...arguments),this.last=!1,this.busy=!1,this.speaking=!1,this.isCopied=!1}render(){let{message:e,words:s}=this;return d`<div class="footer" role="group" aria-label=${s.say("answer_actions")}>
${e.changes.length?d`<button
class="button undo"
?disabled=${this.busy||null!==e.undo}
@click=${()=>this.actions.undo(e.key)}
>
${x("undo",14)}
${"done"===e.undo?s.say("undone"):s.count("undo",e.changes.length)}
</button>`:c}
${this.last&&e.isReplaceable?K(s.say("answer_again"),"retry",()=>this.actions.answerAgain(e.key),this.busy):c}
${K(s.say(this.isCopied?"copied":"copy"),this.isCopied?"check":"copy",()=>this.copy())}
${K(s.say(this.speaking?"stop_reading":"read_aloud"),this.speaking?"mute":"speak",()=>this.actions.speak(e.key))}
<aisha-feedback .message=${e} .words=${s} .actions=${this.actions}></aisha-feedback>
<span class="when" title=${this.timing()}>${s.moment(e.at)}</span>
</div>`}timing(){let{words:e,message:s}=this,{usage:t,ttsMs:i}=s;if(!t)return"";let{totalMs:a,llmMs:n}=t.timing;return`${[e.say("timing",{total:e.seconds(a)}),e.say("timing_model",{llm:e.seconds(n)}),...i?[e.say("timing_voice",{tts:e.seconds(i)})]:[]].join(", ")} · ${t.model}`}async copy(){try{await navigator.clipboard.writeText(this.message.text),this.isCopied=!0,this.actions.announce(this.words.say("copied")),setTimeout(()=>this.isCopied=!1,2e3)}catch{}}};function K(e,s,t,i=!1){return d`<button
class="icon-button small"
aria-label=${e}
title=${e}
?disabled=${i}
@click=${t}
>
${x(s,15)}
</button>`}G.styles=[C,h`.footer{display:flex;align-items:center;flex-wrap:wrap;gap:var(--aisha-1);margin-block-start:var(--aisha-2);color:var(--aisha-muted);font-size:var(--aisha-text-xs)}.footer>.icon-button:first-child{margin-inline-start:-6px}.footer .when{margin-inline-start:auto;font-variant-numeric:tabular-nums}.footer .undo{min-block-size:28px;padding:2px 10px}`],U([u({attribute:!1})],G.prototype,"message",2),U([u({attribute:!1})],G.prototype,"words",2),U([u({attribute:!1})],G.prototype,"actions",2),U([u({type:Boolean})],G.prototype,"last",2),U([u({type:Boolean})],G.prototype,"busy",2),U([u({type:Boolean})],G.prototype,"speaking",2),U([m()],G.prototype,"isCopied",2),G=U([k("aisha-answer-actions")],G);var W=h`.section{margin-block-start:var(--aisha-3)}.label{margin:0 0 var(--aisha-1);font-size:var(--aisha-text-xs);font-weight:600;color:var(--aisha-muted)}.chips{display:flex;flex-wrap:wrap;gap:var(--aisha-2);margin:0;padding:0;list-style:none}.chips li{max-inline-size:100%}.chip{display:inline-flex;align-items:center;gap:6px;max-inline-size:100%;min-block-size:28px;padding:3px 10px;font-size:var(--aisha-text-s);line-height:1.35;text-align:start;border:1px solid var(--aisha-line);border-radius:14px;background:var(--aisha-bg);transition:background var(--aisha-speed)}.chip:hover:not(:disabled){background:var(--aisha-hover)}.chip span{overflow:hidden;text-overflow:ellipsis;display:-webkit-box;-webkit-line-clamp:2;-webkit-box-orient:vertical;overflow-wrap:anywhere}.chip svg{flex:none;color:var(--aisha-accent)}`,J=class extends p{constructor(){super(...arguments),this.busy=!1}render(){return d`${this.scans()}${this.followUps()}`}scans(){let{recommendedScans:e,steps:s}=this.message,t=new Set(s.map(e=>e.arguments.scan_type)),i=e.filter(e=>!t.has(e));return i.length?d`<div class="section">
<p class="label">${this.words.say("scans")}</p>
<ul class="chips">
${i.map(e=>{let s=this.words.named("scan_",e,e.replaceAll("_"," ")),t=this.words.say("run_scan_text",{name:s});return this.chip(t,x("search",14))})}
</ul>
</div>`:c}followUps(){let{followUps:e,confirmation:s,decision:t}=this.message;return!e.length||s&&!t?c:d`<div class="section">
<p class="label">${this.words.say("follow_ups")}</p>
<ul class="chips">
${e.map(e=>this.chip(e.text,d`<span class="emoji" aria-hidden="true">${e.icon}</span>`))}
</ul>
</div>`}chip(e,s){return d`<li>
<button class="chip follow-up" ?disabled=${this.busy} @click=${()=>this.actions.send(e)}>
${s}<span dir="auto">${e}</span>
</button>
</li>`}};J.styles=[C,W,h`.follow-up{border-color:var(--aisha-line-strong)}.emoji{font-size:14px}`],U([u({attribute:!1})],J.prototype,"message",2),U([u({attribute:!1})],J.prototype,"words",2),U([u({attribute:!1})],J.prototype,"actions",2),U([u({type:Boolean})],J.prototype,"busy",2),J=U([k("aisha-follow-ups")],J);var Q=class extends p{constructor(){super(...arguments),this.hasAll=!1}render(){let{sources:e}=this.message,s=this.hasAll||e.length<=5?e:e.slice(0,4),t=e.length-s.length;return d`<div class="section">
<p class="label">${this.words.say("sources")}</p>
<ul class="chips">
${s.map(e=>d`<li>
<button
class="chip"
title=${e.description}
aria-label=${this.words.say("open_record",{type:this.words.named("type_",e.type,e.type),name:e.name})}
@click=${()=>this.actions.openRecord(e)}
>
${z(e.type)}<span dir="auto">${e.name}</span>
</button>
</li>`)}
${t?d`<li>
<button class="chip" @click=${()=>this.hasAll=!0}>${this.words.count("more",t)}</button>
</li>`:c}
</ul>
</div>`}};Q.styles=[C,W],U([u({attribute:!1})],Q.prototype,"message",2),U([u({attribute:!1})],Q.prototype,"words",2),U([u({attribute:!1})],Q.prototype,"actions",2),U([m()],Q.prototype,"hasAll",2),Q=U([k("aisha-sources")],Q);var Z=["search","get","list","create","update","delete"];function X(e,s){let t=s.named("does_",e,"");if(t)return t;let[i,...a]=e.split("_"),n=Z.find(e=>e===i);if(!n||!a.length)return S(e);let r=a.join("_");return s.say(`tool_${n}`,{what:s.named("types_",r,s.named("type_",r,S(r).toLowerCase()))})}var Y=class extends p{constructor(){super(...arguments),this.steps=[],this.names=new Map}render(){if(!this.steps.length)return c;let e=this.steps.reduce((e,s)=>e+(s.durationMs??0),0);return d`<details>
<summary>
<span dir="auto"
>${this.words.count("steps",this.steps.length)}${e?d` · ${this.words.seconds(e)}`:c}</span
>
<span class="chevron">${x("chevron",14)}</span>
</summary>
<ol>
${this.steps.map(e=>this.step(e))}
</ol>
</details>`}step(e){let s=/^\d+$/.test(e.outcome)?this.words.count("found",Number(e.outcome)):e.outcome;return d`<li>
<details>
<summary>
<span class="state ${e.state}">${this.mark(e.state)}</span>
<span dir="auto">${X(e.tool,this.words)}${s?d` · ${s}`:c}</span>
<span class="time" dir="auto"
>${null===e.durationMs?c:this.words.seconds(e.durationMs)}</span
>
</summary>
${L(e.arguments,this.names,this.words)}
</details>
</li>`}mark(e){let s=d`<span class="hidden-text">${this.words.say(`step_${e}`)}</span>`;return"running"===e?d`<span class="spinner"></span>${s}`:d`${x("done"===e?"check":"failed"===e?"close":"clock",14)}${s}`}};Y.styles=[C,h`:host{display:block;font-size:var(--aisha-text-s);color:var(--aisha-muted)}summary{display:inline-flex;align-items:center;gap:var(--aisha-1);min-block-size:24px;cursor:pointer;list-style:none;border-radius:var(--aisha-radius-s)}summary::-webkit-details-marker{display:none}summary:hover{color:var(--aisha-ink)}summary>.chevron svg{display:block;transition:transform var(--aisha-speed)}details[open]>summary>.chevron svg{transform:rotate(180deg)}ol{list-style:none;margin:var(--aisha-1) 0 var(--aisha-2);padding:0 0 0 var(--aisha-3);padding-inline:var(--aisha-3) 0;border-inline-start:2px solid var(--aisha-line)}li>details>summary{display:flex}.time{margin-inline-start:auto;font-variant-numeric:tabular-nums;font-size:var(--aisha-text-xs)}.state{display:inline-grid;place-items:center;inline-size:18px;flex:none}.done{color:var(--aisha-good)}.failed{color:var(--aisha-danger)}.waiting{color:var(--aisha-warn)}.spinner{inline-size:12px;block-size:12px;border:2px solid var(--aisha-line-strong);border-block-start-color:var(--aisha-accent);border-radius:50%;animation:turn .9s linear infinite}@keyframes turn{to{transform:rotate(1turn)}}.arguments,.none{margin:0 0 var(--aisha-2) 22px;margin-inline:22px 0;font-size:var(--aisha-text-xs);overflow-wrap:anywhere}.arguments>div{display:flex;gap:var(--aisha-2)}dt:after{content:":"}dd{margin:0;color:var(--aisha-ink);min-inline-size:0}dd ul{margin:0;padding-inline-start:var(--aisha-4)}dd .arguments{margin:0}`],U([u({attribute:!1})],Y.prototype,"steps",2),U([u({attribute:!1})],Y.prototype,"names",2),U([u({attribute:!1})],Y.prototype,"words",2),Y=U([k("aisha-steps")],Y);var ee=class extends p{constructor(){super(...arguments),this.records=[],this.name="",this.last=!1,this.editable=!1,this.busy=!1,this.speaking=!1,this.shown=""}render(){let{message:e}=this;return"system"===e.role?this.note():"user"===e.role?d`<div class="asked">
<div class="user">
<span class="hidden-text">${this.words.say("you_said")}: </span
><span class="said" dir="auto">${e.text}</span>
</div>
${this.editable?K(this.words.say("edit_message"),"edit",()=>this.actions.edit(e.key)):c}
</div>`:d`<article aria-label=${this.words.say("assistant_said",{name:this.name})}>
<aisha-steps .steps=${e.steps} .names=${this.names} .words=${this.words}></aisha-steps>
<div class="prose" dir="auto" ?hidden=${!e.text||null!==e.confirmation}></div>
${this.status()} ${this.marks()} ${this.question()} ${"streaming"===e.state?c:this.findings()}
</article>`}updated(e){let{text:s,state:t}=this.message,i=`${"streaming"===t}${s}`;e.has("message")&&this.prose&&i!==this.shown&&(this.prose.replaceChildren(n(s,"streaming"===t)),this.shown=i)}get names(){return B(this.records,this.message.sources,this.message.entities)}note(){let{error:e,changes:s}=this.message,t=s.map(e=>e.name).join(", ");return d`${t?d`<p class="system">${x("undo",14)} ${this.words.say("undone_names",{names:t})}</p>`:c}
${e?d`<aisha-notice .words=${this.words} .text=${a(e,this.words)}></aisha-notice>`:c}`}status(){let{message:e,words:s}=this;if("streaming"!==e.state)return c;let t=e.steps.findLast(e=>"running"===e.state);if(e.text&&!t)return c;let i=t?`${X(t.tool,s)}…`:s.say("thinking");return d`<div class="status">
<span class="dots" aria-hidden="true"><i></i><i></i><i></i></span><span>${i}</span>
</div>`}marks(){let{message:e,words:s}=this;if("stopped"===e.state)return this.stopped();if("unfinished"===e.state)return se(s.say("unfinished"));if(e.needs&&"done"===e.state)return se(s.say("needs_data",{names:te(e.needs)}));let{error:t}=e;if(t){let n="offline"===t.code;return d`<aisha-notice
.words=${s}
.text=${a(t,s)}
.retryAfter=${t.retryAfter}
.reference=${t.requestId??""}
?calm=${n||429===t.status}
?retryable=${i=t.status,!([402,403,404,410,413,422].includes(i)||n||e.decision)}
?disabled=${this.busy}
@retry=${()=>this.actions.retry(e.key)}
></aisha-notice>`}var i;return c}stopped(){let e=d`<button
class="button"
?disabled=${this.busy}
@click=${()=>this.actions.retry(this.message.key)}
>
${x("retry",15)} ${this.words.say("retry")}
</button>`;return d`${se(this.words.say("stopped"),"stop")}${this.last?e:c}`}question(){let{message:e}=this;return e.confirmation&&"streaming"!==e.state?d`<aisha-confirmation
.message=${e}
.names=${this.names}
.words=${this.words}
.actions=${this.actions}
?busy=${this.busy}
></aisha-confirmation>`:c}findings(){let{message:e,words:s}=this;if("failed"===e.state)return c;let t=r(e.text),i=[...e.insights.map(e=>["bulb",e]),...e.nextSteps.filter(e=>!t.includes(e)).map(e=>["plan",e])];return d`
${e.warnings.map(e=>se(e))} ${e.usage?.degraded?se(s.say("degraded")):c}
${i.length?d`<div class="section">
<ul class="insights" aria-label=${s.say("insights")}>
${i.map(([e,s])=>d`<li dir="auto">${x(e,16)}<span>${s}</span></li>`)}
</ul>
</div>`:c}
${e.sources.length?d`<aisha-sources .message=${e} .words=${s} .actions=${this.actions}></aisha-sources>`:c}
${e.text?d`<aisha-answer-actions
.message=${e}
.words=${s}
.actions=${this.actions}
?last=${this.last}
?busy=${this.busy}
?speaking=${this.speaking}
></aisha-answer-actions>`:c}
${this.last?d`<aisha-follow-ups
.message=${e}
.words=${s}
.actions=${this.actions}
?busy=${this.busy}
></aisha-follow-ups>`:c}
`}};function se(e,s="alert"){return d`<p class="mark">${x(s,14)}<span>${e}</span></p>`}function te({data:e}){return e.sections.map(({sectionId:e})=>S(e).toLowerCase()).join(", ")}ee.styles=[C,o,h`:host{display:block;padding-block:var(--aisha-2)}.asked{display:flex;flex-direction:row-reverse;align-items:center;gap:var(--aisha-1)}.user{max-inline-size:85%;padding:var(--aisha-2) var(--aisha-3);background:var(--aisha-accent-soft);border-radius:var(--aisha-radius-l) var(--aisha-radius-l) var(--aisha-1) var(--aisha-radius-l);overflow-wrap:anywhere}.said{display:block;white-space:pre-wrap}:host([dir="rtl"]) .user{border-radius:var(--aisha-radius-l) var(--aisha-radius-l) var(--aisha-radius-l) var(--aisha-1)}.system{display:flex;align-items:center;justify-content:center;gap:var(--aisha-2);overflow-wrap:anywhere;font-size:var(--aisha-text-s);color:var(--aisha-muted)}.status{display:flex;align-items:center;gap:var(--aisha-2);min-block-size:24px;color:var(--aisha-muted);font-size:var(--aisha-text-s)}.dots{display:inline-flex;gap:4px}.dots i{inline-size:6px;block-size:6px;border-radius:50%;background:var(--aisha-accent);animation:breathe 1.2s ease-in-out infinite}.dots i:nth-child(2){animation-delay:.15s}.dots i:nth-child(3){animation-delay:.3s}@keyframes breathe{50%{opacity:.25}}.mark{display:flex;align-items:center;gap:var(--aisha-2);margin-block-start:var(--aisha-2);font-size:var(--aisha-text-s);color:var(--aisha-warn)}.mark svg{flex:none}.section{margin-block-start:var(--aisha-3)}.insights{margin:0;padding:var(--aisha-2) var(--aisha-3);list-style:none;background:var(--aisha-raised);border-radius:var(--aisha-radius);font-size:var(--aisha-text-s)}.insights li{display:flex;gap:var(--aisha-2)}.insights span{min-inline-size:0;overflow-wrap:anywhere}.insights svg{flex:none;margin-block-start:1px;color:var(--aisha-warn)}`],U([u({attribute:!1})],ee.prototype,"message",2),U([u({attribute:!1})],ee.prototype,"words",2),U([u({attribute:!1})],ee.prototype,"actions",2),U([u({attribute:!1})],ee.prototype,"records",2),U([u()],ee.prototype,"name",2),U([u({type:Boolean})],ee.prototype,"last",2),U([u({type:Boolean})],ee.prototype,"editable",2),U([u({type:Boolean})],ee.prototype,"busy",2),U([u({type:Boolean})],ee.prototype,"speaking",2),U([g(".prose")],ee.prototype,"prose",2),ee=U([k("aisha-message")],ee);var ie=class extends p{constructor(){super(...arguments),this.messages=[],this.records=[],this.name="",this.speaking=null,this.editable="",this.busy=!1,this.follows="question",this.placed=0,this.isMoreBelow=!1}firstUpdated(){this.sizes=new ResizeObserver(()=>this.place()),this.sizes.observe(this.content),this.sizes.observe(this.frame)}disconnectedCallback(){super.disconnectedCallback(),this.sizes?.disconnect()}connectedCallback(){super.connectedCallback(),this.hasUpdated&&this.firstUpdated()}updated(e){let s=e.get("messages");s&&this.messages.length>s.length&&"user"===this.messages.at(-2)?.role&&(this.follows="question"),this.place()}render(){let e=this.messages.at(-1)?.key;return d`<div
class="scroll"
tabindex="0"
role="log"
aria-live="off"
aria-label=${this.words.say("transcript")}
@scroll=${this.scrolled}
>
<div class="messages">
${this.messages.map(s=>d`<aisha-message
.message=${s}
.words=${this.words}
.actions=${this.actions}
.records=${this.records}
.name=${this.name}
dir=${this.words.direction}
?last=${s.key===e}
?editable=${s.key===this.editable}
?busy=${this.busy}
?speaking=${s.key===this.speaking}
></aisha-message>`)}
</div>
</div>
${this.isMoreBelow?d`<button
class="icon-button newest"
aria-label=${this.words.say("to_newest")}
title=${this.words.say("to_newest")}
@click=${this.toEnd}
>
${x("down")}
</button>`:c}`}scrolled(){let{scrollTop:e}=this.frame;Math.abs(e-this.placed)>2&&(this.follows=this.end-e<80?"end":"nothing"),this.isMoreBelow=this.end-e>80}toEnd(){this.follows="end",this.place()}get end(){return this.frame.scrollHeight-this.frame.clientHeight}get start(){let e=this.messages.findLastIndex(e=>"user"===e.role),{confirmation:s,decision:t}=this.messages.at(-1)??{},i=this.content.children[e];return!i||s&&!t?this.end:Math.min(i.offsetTop-this.content.offsetTop,this.end)}place(){this.frame&&("nothing"!==this.follows&&(this.frame.scrollTop="end"===this.follows?this.end:this.start,this.placed=this.frame.scrollTop),this.isMoreBelow=this.end-this.frame.scrollTop>80)}};ie.styles=[C,h`:host{position:relative;display:block;min-block-size:0}.scroll{block-size:100%;overflow-y:auto;overscroll-behavior:contain;scrollbar-width:thin;scrollbar-color:var(--aisha-line-strong) transparent;padding:var(--aisha-3) var(--aisha-4);outline-offset:-2px}.messages{max-inline-size:760px;margin-inline:auto}aisha-message:not([last]){content-visibility:auto;contain-intrinsic-size:auto 120px}.newest{position:absolute;inset-block-end:var(--aisha-3);inset-inline-end:var(--aisha-3);background:var(--aisha-raised);border:1px solid var(--aisha-line-strong);border-radius:50%;color:var(--aisha-ink);box-shadow:var(--aisha-shadow)}`],U([u({attribute:!1})],ie.prototype,"messages",2),U([u({attribute:!1})],ie.prototype,"records",2),U([u({attribute:!1})],ie.prototype,"words",2),U([u({attribute:!1})],ie.prototype,"actions",2),U([u()],ie.prototype,"name",2),U([u()],ie.prototype,"speaking",2),U([u()],ie.prototype,"editable",2),U([u({type:Boolean})],ie.prototype,"busy",2),U([m()],ie.prototype,"isMoreBelow",2),U([g(".scroll")],ie.prototype,"frame",2),U([g(".messages")],ie.prototype,"content",2),ie=U([k("aisha-transcript")],ie);var ae=[{label:"quick_status",icon:"activity"},{label:"quick_next",icon:"bulb"},{label:"quick_analyze",icon:"opportunity"}];function ne(e,s,t){let i=`${e.label}_text`;return t?s.english(i):s.say(i)}var re=class extends p{constructor(){super(...arguments),this.onRecord=!1,this.english=!1,this.busy=!1}render(){let{words:e}=this;return d`<h3>${e.say("welcome_title")}</h3>
<p>${e.say("welcome_text")}</p>
<ul aria-label=${e.say("quick")}>
${this.onRecord?this.item({label:"quick_record",icon:"source"},null):c}
${ae.map((e,s)=>this.item(e,s+1))}
</ul>`}item(e,s){let t=ne(e,this.words,this.english);return d`<li>
<button ?disabled=${this.busy} @click=${()=>this.actions.send(t)} aria-keyshortcuts=${s??c}>
${x(e.icon,20)}
<span class="text"><strong>${this.words.say(e.label)}</strong><span>${t}</span></span>
${s?d`<kbd aria-hidden="true">${s}</kbd>`:c}
</button>
</li>`}};re.styles=[C,h`:host{display:block}h3{margin:var(--aisha-3) 0 var(--aisha-1);font-size:var(--aisha-text-l);line-height:1.3}p{margin:0 0 var(--aisha-4);color:var(--aisha-muted);font-size:var(--aisha-text-s);line-height:1.5}ul{display:grid;gap:var(--aisha-2);margin:0;padding:0;list-style:none}li button{display:flex;align-items:center;gap:var(--aisha-3);inline-size:100%;padding:10px var(--aisha-3);text-align:start;border:1px solid var(--aisha-line);border-radius:var(--aisha-radius);background:var(--aisha-raised);transition:background var(--aisha-speed)}li button:hover:not(:disabled){background:var(--aisha-hover)}svg{flex:none;color:var(--aisha-accent)}.text{flex:1;min-inline-size:0;line-height:1.35}strong{display:block;font-size:var(--aisha-text-s);font-weight:600}.text span{font-size:var(--aisha-text-s);color:var(--aisha-muted)}kbd{min-inline-size:20px;padding:1px 5px;text-align:center;font:inherit;font-size:var(--aisha-text-xs);color:var(--aisha-muted);border:1px solid var(--aisha-line);border-radius:5px}@media(hover:none){kbd{display:none}}`],U([u({attribute:!1})],re.prototype,"words",2),U([u({attribute:!1})],re.prototype,"actions",2),U([u({type:Boolean,attribute:"on-record"})],re.prototype,"onRecord",2),U([u({type:Boolean})],re.prototype,"english",2),U([u({type:Boolean})],re.prototype,"busy",2),re=U([k("aisha-welcome")],re);var oe=class extends p{constructor(){super(...arguments),this.name="",this.speaking="",this.english=!1,this.onRecord=!1}render(){let{words:e,conversation:s}=this;return s.isLoading?d`<p class="loading" role="status">${e.say("loading")}</p>`:s.loadError?d`<div class="empty">
<aisha-notice
.words=${e}
.text=${a(s.loadError,e)}
.retryAfter=${s.loadError.retryAfter}
.reference=${s.loadError.requestId??""}
retryable
@retry=${()=>s.open(s.id)}
></aisha-notice>
</div>`:s.messages.length?d`<aisha-transcript
.messages=${s.messages}
.records=${s.entities}
.words=${e}
.actions=${this.actions}
.name=${this.name}
.speaking=${this.speaking}
.editable=${s.editable?.key??""}
?busy=${"idle"!==s.phase}
></aisha-transcript>`:d`<div class="empty">
<aisha-welcome
.words=${e}
.actions=${this.actions}
?english=${this.english}
?on-record=${this.onRecord}
?busy=${"idle"!==s.phase}
></aisha-welcome>
<aisha-suggestions .api=${this.api} .words=${e} .actions=${this.actions}></aisha-suggestions>
</div>`}};oe.styles=[C,h`:host{display:grid;grid-template-columns:minmax(0,1fr);min-block-size:0;min-inline-size:0}.empty{overflow-y:auto;padding:var(--aisha-3) var(--aisha-4);scrollbar-width:thin}.empty>*{max-inline-size:760px;margin-inline:auto}.loading{place-self:center;color:var(--aisha-muted);font-size:var(--aisha-text-s)}`],U([u({attribute:!1})],oe.prototype,"api",2),U([u({attribute:!1})],oe.prototype,"words",2),U([u({attribute:!1})],oe.prototype,"actions",2),U([u({attribute:!1,hasChanged:()=>!0})],oe.prototype,"conversation",2),U([u()],oe.prototype,"name",2),U([u()],oe.prototype,"speaking",2),U([u({type:Boolean})],oe.prototype,"english",2),U([u({type:Boolean,attribute:"on-record"})],oe.prototype,"onRecord",2),oe=U([k("aisha-conversation")],oe);var le=class{constructor(e){this.panel=e,this.assistantName="AiSHA",this.isEnglishOnly=!1,this.voices=[]}async ask({rest:e},s){let[t,i]=await Promise.all([s?f(e.GET("/api/ai/profile")).catch(()=>null):null,f(e.GET("/api/ai/models")).catch(()=>null)]);t?.assistantName&&(this.assistantName=t.assistantName),this.isEnglishOnly="offline"===i?.providers[0]?.id,this.voices="RTCPeerConnection"in globalThis?i?.realtimeVoices??[]:[],this.panel.requestUpdate()}},he=class extends p{constructor(){super(...arguments),this.mood=null,this.name="",this.state="idle",this.view="chat",this.minimisable=!1,this.fresh=!1,this.aloud=!1}render(){let{words:e,mood:s}=this;return d`
<span class="mark" aria-hidden="true">${this.name.slice(0,1)}</span>
<div class="who">
<h2>${this.name}</h2>
<p>
<span class="light ${this.state}" aria-hidden="true"></span>
<span>${e.say(`state_${this.state}`)}</span>
${s?this.moodMark(s):c}
</p>
</div>
${this.sound()} ${this.button("new_conversation","plus",()=>this.tell("clear"),void 0,this.fresh)}
${this.button("history","history",()=>this.show("history"),"history"===this.view)}
${this.button("settings","settings",()=>this.show("settings"),"settings"===this.view)}
${this.minimisable?this.button("minimise","minimise",()=>this.tell("minimise")):c}
`}moodMark(e){let s=this.words.say("mood",{mood:this.words.named("mood_",e.sentiment,e.sentiment)});return d`<span role="img" aria-label=${s} title=${s}>${e.emoji}</span>`}button(e,s,t,i,a=!1){let n=this.words.say(e);return d`<button
class="icon-button"
aria-label=${n}
title=${n}
aria-expanded=${i??c}
?disabled=${a}
@click=${t}
>
${x(s)}
</button>`}sound(){let e=this.words.say("read_answers");return d`<button
class="icon-button"
aria-label=${e}
title=${this.aloud?this.words.say("mute"):e}
aria-pressed=${this.aloud}
@click=${()=>this.tell("sound")}
>
${x(this.aloud?"speak":"mute")}
</button>`}show(e){this.dispatchEvent(new CustomEvent("view",{detail:this.view===e?"chat":e}))}tell(e){this.dispatchEvent(new CustomEvent(e))}};he.styles=[C,h`:host{display:flex;align-items:center;gap:var(--aisha-1);min-block-size:56px;padding:var(--aisha-2) var(--aisha-3) var(--aisha-2) var(--aisha-4);padding-inline:var(--aisha-4) var(--aisha-2);border-block-end:1px solid var(--aisha-line)}.mark{position:relative;display:grid;place-items:center;inline-size:32px;block-size:32px;flex:none;margin-inline-end:var(--aisha-2);border-radius:10px;background:var(--aisha-accent-fill);color:var(--aisha-on-accent);font-weight:700;box-shadow:0 0 0 calc(var(--aisha-level, 0) * 16px) var(--aisha-accent-soft)}@media(prefers-reduced-motion:reduce){.mark{box-shadow:none}}.who{flex:1;min-inline-size:0;line-height:1.3}h2{margin:0;font-size:var(--aisha-text-m);font-weight:650;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}p{display:flex;align-items:center;gap:6px;margin:0;white-space:nowrap;font-size:var(--aisha-text-xs);color:var(--aisha-muted)}.light{inline-size:8px;block-size:8px;border-radius:50%;background:var(--aisha-good)}.light.processing,.light.listening,.light.speaking{background:var(--aisha-accent);animation:pulse 1.2s ease-in-out infinite}.light.error{background:var(--aisha-danger)}.light.offline{background:var(--aisha-warn)}@keyframes pulse{50%{opacity:.35}}`],U([u({attribute:!1})],he.prototype,"words",2),U([u({attribute:!1})],he.prototype,"mood",2),U([u()],he.prototype,"name",2),U([u()],he.prototype,"state",2),U([u()],he.prototype,"view",2),U([u({type:Boolean})],he.prototype,"minimisable",2),U([u({type:Boolean})],he.prototype,"fresh",2),U([u({type:Boolean})],he.prototype,"aloud",2),he=U([k("aisha-header")],he);var de=class extends p{constructor(){super(...arguments),this.name="",this.unread=!1}render(){let{words:e}=this,s=e.say(this.unread?"open_unread":"open");return d`<button dir=${e.direction} lang=${e.language} aria-label=${s} title=${s}>
<span aria-hidden="true">${this.name.slice(0,1)}</span>
${this.unread?d`<span class="unread"></span>`:c}
</button>`}};de.shadowRootOptions={...p.shadowRootOptions,delegatesFocus:!0},de.styles=[C,h`button{position:fixed;z-index:2147483000;inset-block-end:var(--aisha-5);inset-inline-end:var(--aisha-5);inline-size:56px;block-size:56px;display:grid;place-items:center;font-size:22px;font-weight:700;color:var(--aisha-on-accent);background:var(--aisha-accent-fill);border-radius:18px;box-shadow:var(--aisha-shadow)}.unread{position:absolute;inset-block-start:-3px;inset-inline-end:-3px;inline-size:16px;block-size:16px;border-radius:50%;background:var(--aisha-danger-fill);border:2px solid var(--aisha-bg)}`],U([u({attribute:!1})],de.prototype,"words",2),U([u()],de.prototype,"name",2),U([u({type:Boolean})],de.prototype,"unread",2),de=U([k("aisha-launcher")],de);var ce=class{constructor(e,s){this.panel=e,this.returned=s,this.isOnline=navigator.onLine,this.changed=()=>{this.isOnline=navigator.onLine,this.panel.requestUpdate(),this.isOnline&&this.returned()},e.addController(this)}hostConnected(){addEventListener("online",this.changed),addEventListener("offline",this.changed)}hostDisconnected(){removeEventListener("online",this.changed),removeEventListener("offline",this.changed)}},pe="aisha.";function ue(e){try{return localStorage.getItem(pe+e)}catch{return null}}function me(e,s){try{null===s?localStorage.removeItem(pe+e):localStorage.setItem(pe+e,s)}catch{}}var ge={"not-allowed":"microphone","service-not-allowed":"microphone","audio-capture":"microphone","no-speech":"no_speech",network:"unreachable"};function ye(){let e=globalThis;return e.SpeechRecognition??e.webkitSpeechRecognition}var ve=class{constructor(e,s){this.recogniser=new(ye()),Object.assign(this.recogniser,{lang:e,continuous:!0,interimResults:!0}),this.heard=new Promise(e=>{let t="",i=null;this.recogniser.addEventListener("result",e=>{let{results:i}=e;t=Array.from(i,e=>e[0].transcript).join(" ").replace(/\s+/g," ").trim(),s(t)}),this.recogniser.addEventListener("error",e=>{i={problem:ge[e.error]??"no_speech"}}),this.recogniser.addEventListener("end",()=>e(t?{text:t}:i??{problem:"no_speech"}))}),this.recogniser.start()}finish(){this.recogniser.stop()}},be=class{constructor(e,s){this.panel=e,this.host=s,this.canListen=void 0!==ye(),this.heard="",this.speaking=null,this.problem="",this.listening=null,this.talk=async()=>{if(this.listening)return;this.stop(),this.show({problem:"",heard:""});let e=this.host.words();try{this.listening=new ve(e.locale,e=>this.show({heard:e}))}catch{return void this.tell(e.say("error_microphone"))}this.panel.requestUpdate();let s=await this.listening.heard;this.listening=null,this.show({heard:""}),this.host.said("text"in s?s.text:""),"problem"in s&&this.tell(e.say(`error_${s.problem}`))},this.finish=()=>this.listening?.finish(),e.addController(this)}hostDisconnected(){this.stop()}get isListening(){return null!==this.listening}stop(){this.speech?.stop(),this.show({speaking:null})}restart(){this.stop(),this.speech=void 0}tell(e){this.show({problem:e})}async read(e,s){let t=this.speaking===e;this.stop();let i=this.host.textOf(e);if(t||!i)return;this.show({speaking:e});try{this.speech??=new((await import("./parts/views-H2ISHHH2.js")).Speech)(this.host.api(),this.host.sounds)}catch{return void this.show({speaking:null,problem:this.host.words().say("error_unreachable")})}if(this.speaking!==e)return;let a=await this.speech.say(i,this.host.words().locale,s);this.speaking===e&&this.show({speaking:null}),this.host.timed(e,a)}show(e){Object.assign(this,e),this.panel.requestUpdate()}},fe=class extends p{constructor(){super(...arguments),this.api="",this.theme="midnight",this.layout="sidebar",this.locale="",this.name="",this.recordType="",this.recordId="",this.page="",this.minimised=!1,this.token=null,this.clientSections=[],this.provideData=null,this.view="chat",this.isUnread=!1,this.announced="",this.isCalling=!1,this.viewsError=null,this.editing=null,this.preferences={theme:ue("theme")??"midnight",model:ue("model")??"",isReadAloud:"yes"===ue("aloud"),voice:ue("voice")??"",callVoice:ue("call_voice")??"",isPlanning:"yes"===ue("plan")},this.words=new A("en"),this.wordsOf="",this.isDark=matchMedia("(prefers-color-scheme: dark)"),this.isRedrawn=!1,this.tokenGiven=new Promise(e=>this.giveToken=e),this.actions={send:e=>{this.say(e),l(this.composer)},retry:e=>{this.conversation.retry(e),l(this.composer)},answerAgain:e=>{this.conversation.answerAgain(e),l(this.composer)},edit:e=>{this.edit(e)},decide:(e,s,t)=>{this.conversation.decide(e,s,t),l(this.composer)},undo:e=>{this.conversation.undo(e)},expire:e=>this.conversation.expire(e),askAgain:e=>this.askAgain(e),openRecord:e=>this.navigate({page:null,record:e}),speak:e=>{this.speech.read(e,this.preferences.voice)},rate:(e,s,t)=>this.rate(e,s,t),announce:e=>this.announce(e),changed:e=>this.tellChanges(e)},this.deployment=new le(this),this.network=new ce(this,()=>{this.announce(this.words.say("back_online"));let e=this.conversation.messages.findLast(e=>"offline"===e.error?.code);e&&this.conversation.retry(e.key)}),this.speech=new be(this,{api:()=>this.client,words:()=>this.words,textOf:e=>this.conversation.find(e)?.text,said:e=>{this.composer?.fill(""),e&&this.say(e)},sounds:e=>this.style.setProperty("--aisha-level",e.toFixed(2)),timed:(e,s)=>{this.conversation.patch(e,{ttsMs:s}),this.record("read_aloud","voice",!0,s,{ttsMs:s})}}),this.beginCall=async()=>{this.speech.stop(),this.speech.tell(""),await this.loadViews(),this.viewsError?this.speech.tell(a(this.viewsError,this.words)):this.isCalling=!0},this.sound=()=>{let e=!this.preferences.isReadAloud;this.prefer({...this.preferences,isReadAloud:e}),e||this.speech.stop()},this.begin=async()=>{this.conversation.clear(),await this.show("chat")},this.minimise=async()=>{this.minimised=!0,me("minimised","yes"),await this.updateComplete,this.renderRoot.querySelector("aisha-launcher")?.focus()},this.restore=async()=>{this.minimised=!1,me("minimised",null),await this.updateComplete,l(this.composer)},this.pressed=e=>{let[s]=e.composedPath(),t=s?.matches("input, textarea, select, [contenteditable]");if("Escape"===e.key&&"chat"!==this.view&&this.show("chat"),t||e.ctrlKey||e.metaKey||e.altKey||"chat"!==this.view)return;let i=((e,s,t)=>{let i=/^[1-3]$/.test(e)?ae[Number(e)-1]:void 0;return i?ne(i,s,t):null})(e.key,this.words,this.deployment.isEnglishOnly);i&&this.say(i)},this.redraw=()=>{this.isRedrawn=!0,this.requestUpdate()}}ask(e){this.minimised=!1,this.say(e)}async draft(e){this.minimised=!1,this.view="chat",await this.updateComplete,this.composer?.fill(e),this.composer?.focus()}async openConversation(e){this.view="chat",await this.conversation.open(e)}takenBack(e){this.conversation.takenBack(e)}connectedCallback(){super.connectedCallback(),this.isDark.addEventListener("change",this.redraw),this.addEventListener("keydown",this.pressed)}disconnectedCallback(){super.disconnectedCallback(),this.isDark.removeEventListener("change",this.redraw),this.removeEventListener("keydown",this.pressed),this.conversation?.stop()}firstUpdated(){this.loadViews()}willUpdate(e){this.hasUpdated||(this.hasAttribute("theme")&&(this.preferences={...this.preferences,theme:this.theme}),this.theme=this.preferences.theme,"sidebar"===this.layout&&"yes"===ue("minimised")&&(this.minimised=!0)),(e.has("api")||!this.client)&&this.connect(),this.token&&this.giveToken(),e.has("theme")&&(this.preferences={...this.preferences,theme:this.theme}),e.has("minimised")&&(this.isUnread&&=this.minimised),this.dataset.theme="light"===this.theme||"system"===this.theme&&!this.isDark.matches?"light":"midnight"}async scheduleUpdate(){this.isRedrawn&&!document.hidden&&await new Promise(requestAnimationFrame),this.isRedrawn=!1;let e=this.locale||document.documentElement.lang||navigator.language;e!==this.wordsOf&&(this.wordsOf=e,this.words=await R(e)),super.scheduleUpdate()}render(){let{words:e}=this;if(this.minimised&&"fill"!==this.layout)return d`<aisha-launcher
.words=${e}
name=${this.calledName}
?unread=${this.isUnread}
@click=${this.restore}
></aisha-launcher>
${this.announcer()}`;let{conversation:s}=this;return d`<section
class="panel"
part="panel"
lang=${e.language}
dir=${e.direction}
aria-label="${this.calledName}: ${e.say("assistant")}"
>
<aisha-header
.words=${e}
.mood=${s.mood}
.name=${this.calledName}
.state=${this.panelState}
.view=${this.view}
?fresh=${0===s.messages.length}
?minimisable=${"fill"!==this.layout}
@view=${e=>this.show(e.detail)}
?aloud=${this.preferences.isReadAloud}
@sound=${this.sound}
@clear=${this.begin}
@minimise=${this.minimise}
></aisha-header>
<div>
${this.network.isOnline?c:d`<p class="banner" role="status">${x("offline",16)} ${e.say("offline")}</p>`}
${this.speech.problem?d`<p class="banner" role="status">${x("mic",16)} ${this.speech.problem}</p>`:c}
</div>
<div class="body">${this.body()}</div>
<div>
${"chat"===this.view?this.isCalling?this.call():d`<aisha-composer
.words=${e}
.earlier=${s.spoken}
.heard=${this.speech.heard}
.editing=${this.editingWords}
@cancel=${()=>this.editing=null}
placeholder=${e.say(s.pending?"placeholder_pending":"placeholder")}
?busy=${"idle"!==s.phase}
?planning=${this.preferences.isPlanning}
@plan=${()=>this.prefer({...this.preferences,isPlanning:!this.preferences.isPlanning})}
?listening=${this.speech.isListening}
?voice=${this.speech.canListen}
@send=${e=>this.say(e.detail,this.editing)}
@stop=${()=>s.stop()}
?calls=${this.deployment.voices.length>0}
@call=${this.beginCall}
@talk=${this.speech.talk}
@release=${this.speech.finish}
></aisha-composer>`:c}
</div>
${this.announcer()}
</section>`}call(){return d`<aisha-voice
.api=${this.client}
.words=${this.words}
.actions=${this.actions}
.conversation=${this.conversation.id}
voice=${this.preferences.callVoice}
@ended=${e=>this.endCall(e.detail)}
></aisha-voice>`}announcer(){return d`<div class="hidden-text" role="status" aria-live="polite">${this.announced}</div>`}body(){let{words:e,conversation:s,client:t,viewsError:i}=this;return"chat"!==this.view&&i?d`<aisha-notice
.words=${e}
.text=${a(i,e)}
retryable
@retry=${()=>this.show(this.view)}
></aisha-notice>`:"history"===this.view?d`<aisha-history
.api=${t}
.words=${e}
.current=${s.id}
@open=${e=>this.openConversation(e.detail)}
@removed=${e=>e.detail===s.id&&s.clear()}
></aisha-history>`:"settings"===this.view?d`<aisha-settings
.api=${t}
.words=${e}
.preferences=${this.preferences}
@change=${e=>this.prefer(e.detail)}
></aisha-settings>`:d`<aisha-conversation
.api=${t}
.words=${e}
.actions=${this.actions}
.conversation=${s}
name=${this.calledName}
speaking=${this.speech.speaking??""}
?english=${this.deployment.isEnglishOnly}
?on-record=${!!this.recordId}
></aisha-conversation>`}get calledName(){return this.name||this.deployment.assistantName}get panelState(){return this.network.isOnline?this.speech.isListening?"listening":"idle"!==this.conversation.phase?"processing":this.speech.speaking?"speaking":"failed"===this.conversation.messages.at(-1)?.state?"error":"idle":"offline"}connect(){this.conversation?.stop();let e=b({api:this.api,token:e=>this.tokenSource().then(s=>s(e)),door:"widget"});this.client=e,this.speech.restart(),this.conversation=new T({api:e,request:()=>this.request(),isPlanning:()=>this.preferences.isPlanning,provide:e=>this.provide(e),changed:this.redraw,kept:e=>me(`conversation.${this.api}`,e),answered:e=>this.answered(e),recordsChanged:e=>this.tellChanges(e),navigated:e=>this.navigate(e),confirmationNeeded:e=>this.tell("confirmationneeded",e)}),this.deployment.ask(e,!this.name);let s=ue(`conversation.${this.api}`);s&&this.conversation.open(s)}async tokenSource(){return this.token||await this.tokenGiven,this.token}request(){let[e,...s]=this.preferences.model.split("/"),t=this.page||this.recordId;return{locale:this.words.locale,timezone:Intl.DateTimeFormat().resolvedOptions().timeZone,clientSections:this.clientSections,...e?{provider:e,model:s.join("/")}:{},...t?{context:{page:this.page||null,recordType:this.recordType||null,recordId:this.recordId||null}}:{}}}async say(e,s=null){this.view="chat",this.speech.tell(""),this.speech.stop(),this.editing=null,await this.conversation.send(e,s)}async edit(e){this.editing=e,await this.updateComplete,this.composer?.edit(this.conversation.find(e).text)}get editingWords(){let{editing:e,conversation:s}=this;return null!==e&&s.find(e)?this.words.say(s.isReplaceable(e)?"editing_replaces":"editing_follows"):""}askAgain(e){let{messages:s}=this.conversation,t=s.findIndex(s=>s.key===e),i=s.slice(0,Math.max(t,0)).findLast(e=>"user"===e.role);i&&this.say(i.text)}async provide(e){return await(this.provideData?.(e))??null}answered(e){this.minimised&&(this.isUnread=!0);let s=e.error?a(e.error,this.words):e.changes.length&&"system"===e.role?this.words.say("undone_names",{names:e.changes.map(e=>e.name).join(", ")}):e.confirmation?this.words.say("confirm_needed",{question:r(e.confirmation.question)}):r(e.text);this.announce(s),this.preferences.isReadAloud&&!e.error&&!document.hidden&&this.actions.speak(e.key)}async endCall({conversationId:e,problem:s}){this.isCalling=!1,this.speech.tell(s),e&&this.conversation.open(e),await this.updateComplete,l(this.composer)}rate(e,s,t){this.conversation.patch(e,{feedback:s}),("up"===s||t)&&this.record("answer_feedback","feedback","up"===s,0,void 0,t)}async record(e,s,t,i,a,n){let r={commandName:e,commandType:s,success:t,executionTimeMs:i,timing:a,errorMessage:n};await this.client.rest.POST("/api/ai/analytics",{body:r}).catch(()=>{})}navigate(e){this.tell("navigate",e)}tellChanges(e){for(let s of e)this.tell("recordchanged",s)}tell(e,s){this.dispatchEvent(new CustomEvent(e,{detail:s,bubbles:!0,composed:!0}))}announce(e){this.announced=e===this.announced?`${e} `:e}prefer(e){var s;this.preferences=e,this.theme=e.theme,me("theme",(s=e).theme),me("model",s.model||null),me("aloud",s.isReadAloud?"yes":null),me("voice",s.voice||null),me("call_voice",s.callVoice||null),me("plan",s.isPlanning?"yes":null)}async show(e){this.view=e,"chat"!==e&&await this.loadViews(),await this.updateComplete,"chat"===e&&l(this.composer)}async loadViews(){this.viewsError=await import("./parts/views-H2ISHHH2.js").then(()=>null,()=>new y(0,"unreachable",""))}};fe.shadowRootOptions={...p.shadowRootOptions,delegatesFocus:!0},fe.styles=[_,C,h`:host{display:block;font-family:var(--aisha-font);font-size:var(--aisha-text-m);line-height:1.5;color:var(--aisha-ink);text-align:start;-webkit-text-size-adjust:100%}.panel{display:grid;grid-template:auto auto minmax(0,1fr) auto / minmax(0,1fr);background:var(--aisha-bg);block-size:100%;overflow:hidden}:host([layout="fill"]){block-size:100%;min-block-size:0}:host(:not([layout="fill"])) .panel{position:fixed;z-index:2147483000;inset-block:0;inset-inline-end:0;inline-size:min(400px,100vw);block-size:100dvh;border-inline-start:1px solid var(--aisha-line);box-shadow:var(--aisha-shadow)}@media(max-width:600px){:host(:not([layout="fill"])) .panel{inline-size:100vw;border:0}}.banner{margin:0;display:flex;align-items:center;gap:var(--aisha-2);padding:var(--aisha-2) var(--aisha-4);font-size:var(--aisha-text-s);color:var(--aisha-warn);background:var(--aisha-warn-soft)}.body{display:grid;grid-template-columns:minmax(0,1fr);min-block-size:0;min-inline-size:0}`],U([u()],fe.prototype,"api",2),U([u({reflect:!0})],fe.prototype,"theme",2),U([u({reflect:!0})],fe.prototype,"layout",2),U([u()],fe.prototype,"locale",2),U([u()],fe.prototype,"name",2),U([u({attribute:"record-type"})],fe.prototype,"recordType",2),U([u({attribute:"record-id"})],fe.prototype,"recordId",2),U([u()],fe.prototype,"page",2),U([u({type:Boolean,reflect:!0})],fe.prototype,"minimised",2),U([u({attribute:!1})],fe.prototype,"token",2),U([u({attribute:!1})],fe.prototype,"clientSections",2),U([u({attribute:!1})],fe.prototype,"provideData",2),U([m()],fe.prototype,"view",2),U([m()],fe.prototype,"isUnread",2),U([m()],fe.prototype,"announced",2),U([m()],fe.prototype,"isCalling",2),U([m()],fe.prototype,"viewsError",2),U([m()],fe.prototype,"editing",2),U([m()],fe.prototype,"preferences",2),U([g("aisha-composer")],fe.prototype,"composer",2),fe=U([k("aisha-assistant")],fe);export{fe as AishaAssistant};